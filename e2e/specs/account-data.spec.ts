import { readFile } from 'node:fs/promises';
import { linkFolder, sftpInfo } from '../fixtures/storage.ts';
import { expect, expectAccessible, signUp, test } from '../fixtures/test.ts';

test('links are exported, with secrets only for the password, and imported by another account @narrow', async ({
  user: page,
  account,
  storage,
  browser,
  sheaf,
  unique,
}, info) => {
  await storage.put({ 'plan.txt': 'a plan' });
  await linkFolder(page, 'NAS', sftpInfo(storage.server, storage.path));
  await page.goto('/account/data');
  await expectAccessible(page);
  const json = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download JSON' }).click();
  const settings = await readFile(await (await json).path(), 'utf8');
  expect(settings).toContain('"name":"NAS"');
  expect(settings).not.toContain(storage.server.password);

  const take = page.getByRole('button', { name: 'Download rclone.conf' });
  await expect(take).toBeDisabled();
  await page.getByLabel('Your Sheaf password').fill('not the password');
  await take.click();
  await expect(page.getByText('That is not the password of your account.')).toBeVisible();
  await page.getByLabel('Your Sheaf password').fill(account.password);
  const saving = page.waitForEvent('download');
  await take.click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('rclone.conf');
  await expect(page.getByLabel('Your Sheaf password')).toHaveValue('');
  const conf = await readFile(await file.path(), 'utf8');
  expect(conf).toContain('[NAS]');
  const gone =
    conf +
    '\n[gone]\ntype = ftp\nhost = 127.0.0.1\nport = 9\nuser = mara\n\n[vault]\ntype = crypt\nremote = NAS:x\n\n[mail]\ntype = drive\n';

  const { viewport } = info.project.use;
  const context = await browser.newContext({ baseURL: sheaf.url, locale: 'en-GB', ...(viewport && { viewport }) });
  const other = await context.newPage();
  await signUp(other, { ...account, email: `other-${unique}@halm.example` });
  await other.goto('/account/data');
  await other.locator('input[type=file]').setInputFiles({ name: 'rclone.conf', mimeType: 'text/plain', buffer: Buffer.from(gone) });
  const rows = other.getByRole('list', { name: 'Remotes of the file' });
  await expect(rows.getByRole('checkbox', { name: 'Link NAS', exact: true })).toBeChecked();
  await expect(rows.getByRole('checkbox', { name: 'Link NAS account' })).not.toBeChecked();
  await expect(rows.getByRole('checkbox', { name: 'Link vault' })).toBeDisabled();
  await expect(rows).toContainText('It wraps another remote: Sheaf links the storage itself.');
  await expect(rows.getByRole('link', { name: 'Sign in at Google Drive' })).toHaveAttribute('href', '/links/googledrive');
  await expectAccessible(other);
  await other.getByRole('button', { name: 'Link 2 storages' }).click();
  await expect(rows.getByRole('link', { name: 'Open NAS' })).toBeVisible();
  await expect(rows.getByRole('alert')).toContainText('Cannot connect to FTP server.');
  await rows.getByRole('button', { name: 'Link gone anyway' }).click();
  await expect(rows.getByRole('link', { name: 'Open gone' })).toBeVisible();
  await expect(other.getByText('2 linked.')).toBeVisible();
  await rows.getByRole('link', { name: 'Open NAS' }).click();
  await expect(other.getByText('plan.txt')).toBeVisible();
  await context.close();
});

test('unreadable text is reported where it was pasted', async ({ user: page }) => {
  await page.goto('/account/data');
  const read = page.getByRole('button', { name: 'Read', exact: true });
  await expect(read).toBeDisabled();
  await page.getByLabel('Configuration').fill('RCLONE_ENCRYPT_V0:\nabcdef');
  await read.click();
  await expect(page.getByText('This configuration is encrypted, and Sheaf cannot open it.')).toBeVisible();
  await page.getByLabel('Configuration').fill('hello');
  await expect(page.getByText('This configuration is encrypted')).toHaveCount(0);
  await read.click();
  await expect(page.getByText('This is not an rclone configuration.')).toBeVisible();
  await page
    .getByLabel('Configuration')
    .fill('[photos]\ntype = s3\nprovider = Other\nendpoint = 127.0.0.1:9\naccess_key_id = a\nsecret_access_key = b');
  await read.click();
  await expect(page.getByRole('button', { name: 'Link 0 storages' })).toBeDisabled();
  await page.getByLabel('Bucket of photos').fill('holiday');
  await expect(page.getByRole('checkbox', { name: 'Link photos' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Link 1 storage' })).toBeEnabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Configuration')).toHaveValue('');
});
