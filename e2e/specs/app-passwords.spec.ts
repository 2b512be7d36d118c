import { expect, expectAccessible, test } from '../fixtures/test.ts';

test('an app password is created on the page of a link, shown once, opens that link over WebDAV and S3, and is revoked @narrow', async ({
  owner: page,
  storage,
  sheaf,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Server' }).click();
  await page.getByRole('menuitem', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Connect to Server' })).toBeVisible();
  const address = `${sheaf.url}/dav/Server/`;
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'rclone' }).click();
  await expect(page.getByText('vendor=other')).toBeVisible();
  await page.getByRole('button', { name: 'S3', exact: true }).click();
  await expect(page.getByText(`${sheaf.url}/s3`, { exact: true })).toBeVisible();
  await expect(page.locator('dd code').filter({ hasText: /^server$/ })).toBeVisible();
  await expect(page.getByText(`restic -r s3:${sheaf.url}/sheaf/server/restic check`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New app password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Laptop');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create password' }).click();
  await expect(page.getByText('Laptop can read and write. The password is shown only once.')).toBeVisible();
  await expectAccessible(page);
  const [username = '', password = ''] = await page.getByRole('status').locator('dd code').allTextContents();
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const read = () => fetch(`${address}letter.txt`, { headers: { authorization } });
  expect(await (await read()).text()).toBe('Dear reader');
  await page.getByRole('button', { name: 'I stored it' }).click();
  await expect(page.getByText(password)).toHaveCount(0);
  await page.getByRole('link', { name: 'All app passwords' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Laptop' });
  await expect(row).toContainText('Server');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Revoke Laptop' }).click();
  await expect(page.getByText('There are no app passwords yet.')).toBeVisible();
  expect((await read()).status).toBe(401);
});
