import type { Page } from '@playwright/test';
import { makeStorage, linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Side menu' });
const section = (page: Page, name: string) => menu(page).getByRole('region', { name, exact: true });
const names = (page: Page, name: string) => section(page, name).getByRole('listitem').getByRole('link');

test('the side menu has pins, links and recent items; both are ordered, and rows are dropped on them @narrow', async ({
  owner: page,
  storage,
  unique,
}, { project }) => {
  const other = await makeStorage(storage.server, `${unique}-other`);
  await linkFolder(page, 'Another', sftpInfo(storage.server, other.path));
  await storage.put({ 'Album/2025/inside.txt': 'x', 'letter.txt': 'Dear reader' });
  await openFolder(page, '/browse/Server/Album/2025');
  await openFolder(page);
  for (const name of ['Album', 'letter.txt']) {
    await rowOf(page, name)
      .getByRole('button', { name: `Menu of ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Pin to the menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Pin to the menu' })).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Side menu' }).click();
  await expect(names(page, 'Pinned')).toHaveText(['Album', 'letter.txt']);
  await expect(names(page, 'Links')).toHaveText(['Another', 'Server']);
  await expect(names(page, 'Recent')).toHaveText(['Server', '2025']);
  await expectAccessible(page);

  // The focus stays on the grip, so that one entry moves as far as it shall.
  const grip = section(page, 'Links').getByRole('button', { name: 'Move Another' });
  await grip.focus();
  await page.keyboard.press('ArrowDown');
  await expect(names(page, 'Links')).toHaveText(['Server', 'Another']);
  await expect(grip).toBeFocused();
  await section(page, 'Pinned').getByRole('button', { name: 'Move letter.txt' }).press('ArrowUp');
  await expect(names(page, 'Pinned')).toHaveText(['letter.txt', 'Album']);
  await page.reload();
  if (project.name === 'narrow') await page.getByRole('button', { name: 'Side menu' }).click();
  await expect(names(page, 'Links')).toHaveText(['Server', 'Another']);
  await expect(names(page, 'Pinned')).toHaveText(['letter.txt', 'Album']);

  if (project.name === 'wide') {
    await page.getByRole('button', { name: 'Pin menu' }).click();
    await rowOf(page, 'letter.txt')
      .getByText('letter.txt')
      .dragTo(section(page, 'Pinned').getByRole('link', { name: 'Album' }));
    await expect.poll(() => storage.names('Album')).toEqual(['2025', 'letter.txt']);
  }
  await section(page, 'Pinned').getByRole('button', { name: 'Unpin letter.txt' }).click();
  await expect(names(page, 'Pinned')).toHaveText(['Album']);
  await names(page, 'Pinned').click();
  await expect(page).toHaveURL('/browse/Server/Album');
  await expect(rowOf(page, '2025')).toBeVisible();

  // The home page leads back to it, and leaves out the links, which it lists anyway.
  await page.goto('/account/mysheaf');
  const continued = page.getByRole('region', { name: 'Continue' }).getByRole('link');
  await expect(continued).toHaveText(['Album', '2025']);
  await expectAccessible(page);
  await continued.first().click();
  await expect(page).toHaveURL('/browse/Server/Album');
});
