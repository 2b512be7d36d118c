import { join } from 'node:path';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, test } from '../../fixtures/test.ts';
import { button, field, fill } from './fields.ts';

test('a dialog over My links holds a long start path, returns the focus, and does not reopen by going back @narrow', async ({
  user: page,
  storage,
}) => {
  const deep = Array.from({ length: 6 }, (_, index) => `a rather long name of a folder ${index}`).join('/');
  await linkFolder(page, 'Deep', sftpInfo(storage.server, join(storage.path, deep)));
  await page.goto('/account/mysheaf');
  await button(page, 'Menu of Deep').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = await page
    .getByRole('dialog')
    .filter({ has: field(page, 'Host') })
    .boundingBox();
  const host = await field(page, 'Host').boundingBox();
  expect(host?.x).toBeGreaterThan(dialog?.x ?? 0);
  expect((host?.x ?? 0) + (host?.width ?? 0)).toBeLessThan((dialog?.x ?? 0) + (dialog?.width ?? 0));
  await page.keyboard.press('Escape');
  await expect(button(page, 'Menu of Deep')).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL('/account/mysheaf');
});

test('a new link opens without console messages', async ({ user: page, storage }) => {
  const words: string[] = [];
  page.on('console', (message) => words.push(message.text()));
  const { host, port, username, password } = storage.server;
  await page.goto('/links/sftp');
  await fill(page, { Name: 'Server', Host: `${host}:${port}` });
  await field(page, 'Host').press('Enter');
  await fill(page, { User: username, Password: password });
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/Server');
  await expect(page.getByRole('grid')).toBeVisible();
  expect(words).toEqual([]);
});
