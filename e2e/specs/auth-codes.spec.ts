import { makeToken } from '@sheaf/contract';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

test('a code is created, shown once, used by a command-line client, and revoked @narrow [ACC-16]', async ({ user: page, sheaf }) => {
  await page.goto('/account/profile');
  await page.getByRole('link', { name: 'Manage codes' }).click();
  await expect(page).toHaveURL('/account/authcodes');
  await expect(page.getByText('There are no codes yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create code' })).toBeDisabled();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByLabel('Name').press('Enter');
  await expect(page.getByText('The code of Laptop. Copy it now: it will not be shown again.')).toBeVisible();
  await expect(page.getByText(`sheaf sign-in ${sheaf.url}`)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toContainText('not used yet');
  await expectAccessible(page);
  const authCode = (await page.getByRole('status').locator('code').first().textContent()) ?? '';
  const answer = await fetch(sheaf.url + makeToken.path, { method: 'POST', body: new URLSearchParams({ authCode }) });
  const { token } = ((await answer.json()) as { data: { token: string } }).data;
  const links = () => fetch(`${sheaf.url}/rest/ws/all_links`, { headers: { authorization: `Bearer ${token}` } });
  expect((await links()).status).toBe(200);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toContainText('last used');
  await expect(page.getByText(authCode)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke the code Laptop' }).click();
  await expect(page.getByText('There are no codes yet.')).toBeVisible();
  expect((await links()).status).toBe(401);
});
