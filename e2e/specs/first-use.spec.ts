import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures/test.ts';
import { answerOf, drop, rename, rowOf, rows, savedFrom } from './browse/actions.ts';

const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Opens a file's preview, downloads it from there, and closes the preview. */
async function lookedAt(page: Page, name: string): Promise<string> {
  await rowOf(page, name).dblclick();
  const saved = await savedFrom(page, () => page.getByRole('dialog').getByRole('link', { name: 'Download', exact: true }).click());
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return saved.toString();
}

test('a new user signs up, confirms the address, links two storages, works in them and leaves [RT-054] [RT-063] [BRW-12] [BRW-13] [ACC-15]', async ({
  page,
  sheaf,
  storage,
  swift,
  unique,
}, info) => {
  test.slow();
  await storage.put({ 'Photos/': '', 'letter.txt': 'Dear reader' });
  await swift.createBucket(`first-${unique}`);
  const email = `newcomer-${unique}@halm.example`;

  await test.step('signing up', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('link', { name: 'Email' }).click();
    await field(page, 'Name').fill('Mara Halm');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await button(page, 'Create account').click();
    await expect(page).toHaveURL('/account/mysheaf');
    await expect(button(page, 'Account: Mara Halm')).toBeVisible();
  });

  await test.step('confirming the address', async () => {
    const mail = await sheaf.mailTo(email);
    const address = /http:\/\/\S+\/account\/verifyemail\S*/.exec(mail)?.[0] ?? '';
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Your e-mail address is verified.' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to my Sheaf' }).click();
    await expect(page).toHaveURL('/account/mysheaf');
  });

  await test.step('linking the SFTP server', async () => {
    const { host, port, username, password } = storage.server;
    await page.getByRole('link', { name: 'Link storage' }).click();
    await page.locator('main').getByRole('link', { name: 'SFTP' }).click();
    await field(page, 'Name').fill('Server');
    await field(page, 'Host').fill(`${host}:${port}`);
    await page.getByRole('button', { name: 'Advanced' }).click();
    await field(page, 'Start path').fill(storage.path);
    await page.getByRole('link', { name: 'Login with password' }).click();
    await field(page, 'User').fill(username);
    await field(page, 'Password').fill(password);
    await button(page, 'Link').click();
    await expect(page).toHaveURL('/browse/Server');
    await expect(rows(page).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('linking the bucket', async () => {
    await page.goto('/links/s3compat');
    await field(page, 'Name').fill('Bucket');
    await field(page, 'Host').fill(swift.endpoint);
    await field(page, 'Bucket name').fill(`first-${unique}`);
    await field(page, 'Access key id').fill(swift.key);
    await field(page, 'Secret').fill(swift.secret);
    await button(page, 'Link').click();
    await expect(page).toHaveURL('/browse/Bucket');
  });

  await test.step('browsing and downloading', async () => {
    await page.goto('/account/mysheaf');
    await page.getByRole('link', { name: 'Server' }).click();
    await expect(page).toHaveURL('/browse/Server');
    await expect(rows(page)).toHaveText([/Photos/, /letter\.txt/]);
    expect(await lookedAt(page, 'letter.txt')).toBe('Dear reader');
  });

  await test.step('uploading by button and drop, and a folder', async () => {
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('by button') });
    await expect(rowOf(page, 'report.txt')).toBeVisible();
    await drop(page, join(import.meta.dirname, '../package.json'), join(import.meta.dirname, 'browse'));
    await expect(rowOf(page, 'package.json')).toBeVisible();
    await expect.poll(() => storage.names('browse').catch(() => [])).toContain('actions.ts');
    await page.getByLabel('Folder to upload').setInputFiles(join(import.meta.dirname, '../fixtures'));
    await expect(rowOf(page, 'fixtures')).toBeVisible();
    await expect.poll(() => storage.names('fixtures')).toContain('sheaf.ts');
    const original = await readFile(join(import.meta.dirname, '../fixtures/sheaf.ts'), 'utf8');
    await expect.poll(() => storage.text('fixtures/sheaf.ts')).toBe(original);
    expect(await storage.text('report.txt')).toBe('by button');
    expect(await storage.text('package.json')).toBe(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'));
  });

  await test.step('renaming and creating folders', async () => {
    await rename(page, 'report.txt', 'Report 2026.txt');
    await expect(rowOf(page, 'Report 2026.txt')).toBeVisible();
    for (const name of ['New Folder', 'New Folder 2']) {
      await button(page, 'New folder').click();
      await expect(field(page, 'New name')).toHaveValue(name);
      await page.keyboard.press('Escape');
      await expect(rowOf(page, name)).toBeVisible();
    }
    await expect
      .poll(() => storage.names())
      .toEqual(['New Folder', 'New Folder 2', 'Photos', 'Report 2026.txt', 'browse', 'fixtures', 'letter.txt', 'package.json']);
  });

  await test.step('deleting after confirmation', async () => {
    await rowOf(page, 'New Folder 2').click();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete this item?' });
    await expect(dialog).toContainText(
      'New Folder 2 and everything in it will be kept in a hidden folder of the storage for 30 days, and can be brought back until then.',
    );
    await expectAccessible(page);
    const deleted = answerOf(page, 'delete_object');
    await button(page, 'Delete').last().click();
    expect((await deleted).status()).toBe(200);
    await expect(rowOf(page, 'New Folder 2')).toHaveCount(0);
    expect(await storage.names()).not.toContain('New Folder 2');
  });

  await test.step('working in the bucket', async () => {
    await page.goto('/browse/Bucket');
    await expect(page.getByText('This folder is empty')).toBeVisible();
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'a b+c.txt', mimeType: 'text/plain', buffer: Buffer.from('in the bucket') });
    await expect(rowOf(page, 'a b+c.txt')).toBeVisible();
    expect(await lookedAt(page, 'a b+c.txt')).toBe('in the bucket');
    await page.screenshot({ path: info.outputPath('bucket.png') });
  });

  await test.step('unlinking and signing out', async () => {
    await page.goto('/account/mysheaf');
    await button(page, 'Menu of Bucket').click();
    await page.getByRole('menuitem', { name: 'Unlink' }).click();
    await button(page, 'Yes, unlink').click();
    await expect(page.getByRole('link', { name: 'Bucket' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Server' })).toBeVisible();
    await button(page, 'Account: Mara Halm').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'You have been signed out.' })).toBeVisible();
    await page.goto('/browse/Server');
    await expect(page).toHaveURL(/\/login\/start\?/);
  });
});
