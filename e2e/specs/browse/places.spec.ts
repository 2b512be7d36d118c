import type { Page } from '@playwright/test';
import { makeStorage, linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Side menu' });
const section = (page: Page, name: string) => menu(page).getByRole('region', { name, exact: true });
const names = (page: Page, name: string) => section(page, name).getByRole('listitem').getByRole('link');

test('the side menu has pins, links and recent items; pins and links can be reordered, and rows can be dropped on them @narrow', async ({
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

  // The focus stays on the grip, so repeated keys move the same entry.
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

  // The home page shows it too, but not the links, which it lists anyway.
  await page.goto('/account/mysheaf');
  const continued = page.getByRole('region', { name: 'Continue' }).getByRole('link');
  await expect(continued).toHaveText(['Album', '2025']);
  await expectAccessible(page);
  await continued.first().click();
  await expect(page).toHaveURL('/browse/Server/Album');
});

test('a deep path shows the link and the last two folders, and has the others in a menu', async ({ owner: page, storage }) => {
  const long = 'A folder whose name somebody made of a whole sentence, twice over';
  await storage.put({ [`Work/${long}/2026/${long}/Drafts/last.txt`]: 'last' });
  await page.goto(`/browse/Server/Work/${encodeURIComponent(long)}/2026/${encodeURIComponent(long)}/Drafts`);
  await expect(rowOf(page, 'last.txt')).toBeVisible();
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
  await expect(crumbs.getByRole('link')).toHaveText(['My links', 'Server', long, 'Drafts']);
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 860 });
    const boxes = await crumbs.evaluateAll((parts) =>
      parts
        .flatMap((part) => [...part.children])
        .map((child) => ({ left: child.getBoundingClientRect().left, right: child.getBoundingClientRect().right })),
    );
    // The button for a name's siblings overlaps the padding of the name by 4 px.
    for (const [index, { right }] of boxes.slice(0, -1).entries()) expect(boxes[index + 1]?.left).toBeGreaterThanOrEqual(right - 4.5);
  }
  await page.getByRole('button', { name: '3 folders between' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Work', long, '2026']);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: '2026' }).click();
  await expect(page).toHaveURL(/\/browse\/Server\/Work\/[^/]+\/2026$/);
});
