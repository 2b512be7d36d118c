import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DavServer, startNginx } from '@sheaf/testbed';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

const bytes = randomBytes(200_000);

const testWeb = test.extend<{ web: DavServer & { address(path: string): string } }>({
  // eslint-disable-next-line no-empty-pattern
  web: async ({}, use) => {
    const nginx = await startNginx();
    await writeFile(join(nginx.home, 'film.bin'), bytes);
    const login = `${nginx.user}:${encodeURIComponent(nginx.password)}`;
    await use({ ...nginx, address: (path) => `http://${login}@${nginx.host}:${nginx.port}${path}` });
    await nginx.stop();
  },
});

testWeb('a file of the web is looked at, named, and copied into the folder by keyboard @narrow', async ({ owner: page, storage, web }) => {
  await openFolder(page);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('menuitem', { name: 'From the web' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy from the web' });
  await expect(dialog.getByLabel('Address')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type(web.address('/nothing'));
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('no longer exists');
  await dialog.getByLabel('Address').fill(web.address('/film.bin'));
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('195 KB');
  await expect(dialog.getByLabel('Name')).toHaveValue('film.bin');
  await dialog.getByLabel('Name').fill('Our film.bin');
  await dialog.getByLabel('Checksum').fill(createHash('sha256').update(bytes).digest('hex'));
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, 'Our film.bin')).toBeVisible({ timeout: 20_000 });
  expect(bytes.equals(await readFile(join(storage.path, 'Our film.bin')))).toBe(true);
});
