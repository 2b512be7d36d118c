import type { Page } from '@playwright/test';
import { call, expect, expectAccessible, test } from '../fixtures/test.ts';
import { tokenTo } from './spaces/actions.ts';

/** Payloads that the page sends to change name and address. */
function changesOf(page: Page): URLSearchParams[] {
  const sent: URLSearchParams[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rest/account/update_member_information')) sent.push(new URLSearchParams(request.postData() ?? ''));
  });
  return sent;
}

test('the welcome form has name and e-mail address, of which only the address is required @narrow [ACC-22] [ACC-25]', async ({
  user: page,
  account,
}) => {
  await page.goto('/welcome');
  const [name, email] = [page.getByLabel('Name'), page.getByLabel('E-mail address')];
  await expect(name).toHaveValue(account.name);
  await expect(email).toHaveValue(account.email);
  await expect(email).toHaveAttribute('required', '');
  await expect(name).not.toHaveAttribute('required', '');
  const next = page.getByRole('button', { name: 'Continue' });
  await email.fill('   ');
  await expect(next).toBeDisabled();
  await email.fill(account.email);
  await name.fill('');
  await expect(next).toBeEnabled();
});

test('with only surrounding spaces changed, the welcome form continues without a call [ACC-23] [ACC-24] [ACC-26]', async ({
  user: page,
  account,
}) => {
  const sent = changesOf(page);
  await page.goto('/welcome');
  await page.getByLabel('Name').fill(`  ${account.name} `);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/welcome-email');
  expect(sent).toEqual([]);
});

test('a change is sent as newName and newEmail before the welcome form continues; a pending address is filled in [ACC-26] [ACC-27] [ACC-28] [RT-096]', async ({
  user: page,
  account,
  unique,
  sheaf,
}) => {
  await call(page, '/rest/auth/email/verify', { token: await tokenTo(sheaf, account.email, '/account/verifyemail') });
  const sent = changesOf(page);
  await page.goto('/welcome');
  await page.getByLabel('Name').fill(' Ada Lind ');
  await page.getByLabel('E-mail address').fill(`ada-${unique}@lind.example`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/welcome-email');
  expect(sent.map((form) => [form.get('newName'), form.get('newEmail')])).toEqual([['Ada Lind', `ada-${unique}@lind.example`]]);
  await expect(page.getByText(`We sent a message to ada-${unique}@lind.example. Open it to confirm your address.`)).toBeVisible();
  expect(await sheaf.mailTo(`ada-${unique}@lind.example`)).toContain('/account/verifyemail');
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('The message was sent again.')).toBeVisible();
  await page.goto('/welcome');
  await expect(page.getByLabel('E-mail address')).toHaveValue(`ada-${unique}@lind.example`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/welcome-email');
  expect(sent).toHaveLength(1);
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
});

test('a name with a forbidden character is reported at the field, and the form stays [ACC-29]', async ({ user: page }) => {
  await page.goto('/welcome');
  for (const character of [':', '/', '\\', '<', '>', '?', '*', '|']) {
    await page.getByLabel('Name').fill(`Ma${character}ra`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Name cannot contain invalid characters : / \\ < > ? * |'), character).toBeVisible();
  }
  await expect(page).toHaveURL('/welcome');
});

test('the page after the welcome form says when an address is already confirmed, and offers no mail', async ({
  user: page,
  account,
  sheaf,
}) => {
  await page.goto('/welcome-email');
  await expect(page.getByText(`We sent a message to ${account.email}.`)).toBeVisible();
  await call(page, '/rest/auth/email/verify', { token: await tokenTo(sheaf, account.email, '/account/verifyemail') });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
});
