import type { Page } from '@playwright/test';
import { linkRooms, listArrivals } from '@sheaf/contract';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { shareItem } from '../shares/actions.ts';
import { openFolder, rowOf } from './actions.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const tab = (page: Page, name: RegExp) => panel(page).getByRole('tab', { name });

test('a panel next to the list shows facts, sharing and activity of the selected item, and stays open after a reload @narrow', async ({
  owner: page,
  storage,
}, { project }) => {
  await storage.put({ 'letter.txt': 'Dear reader', 'Album/a.txt': 'x' });
  await shareItem(page, 'Server/letter.txt');
  await openFolder(page);
  const row = rowOf(page, 'letter.txt');
  await expect(row.getByTitle('Shared by a public link')).toBeVisible();
  await expect(rowOf(page, 'Album').getByTitle(/public link/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(panel(page).getByRole('heading')).toHaveText('Server');
  if (project.name === 'narrow') {
    await page.keyboard.press('Escape');
    await expect(panel(page)).toHaveCount(0);
    await row.getByRole('button', { name: 'Menu of letter.txt' }).click();
    await page.getByRole('menuitem', { name: 'Select' }).click();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
  } else {
    await row
      .getByRole('gridcell')
      .nth(2)
      .click({ position: { x: 200, y: 10 } });
  }
  await expect(panel(page).getByRole('heading')).toHaveText('letter.txt');
  await expect(panel(page)).toContainText('11 bytes');
  await expectAccessible(page);
  await tab(page, /^Details/).press('ArrowRight');
  await expect(tab(page, /^Sharing/)).toBeFocused();
  await expect(tab(page, /^Sharing/)).toHaveText('Sharing1');
  await expect(panel(page).getByRole('link', { name: 'Anyone with the link' })).toBeVisible();
  await tab(page, /^Activity/).click();
  await expect(panel(page)).toContainText('You shared letter.txt by a public link');
  await expectAccessible(page);
  if (project.name === 'narrow') return;

  await page.reload();
  await expect(panel(page).getByRole('heading')).toHaveText('Server');
  await page.keyboard.press('Alt+i');
  await expect(panel(page)).toHaveCount(0);
  await page.reload();
  await expect(row).toBeVisible();
  await expect(panel(page)).toHaveCount(0);
  await page.keyboard.press('Alt+i');
  await rowOf(page, 'letter.txt')
    .getByRole('gridcell')
    .nth(2)
    .click({ position: { x: 200, y: 10 } });
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name' }).fill('note.txt');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'note.txt')).toBeVisible();
  await tab(page, /^Activity/).click();
  await expect(panel(page)).toContainText('You renamed letter.txt to note.txt');
});

test('the home page shows new items, nearly full storages, and free space as a bar @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'Inbox/old.txt': 'x' });
  await openFolder(page, '/browse/Server/Inbox');
  await expect(rowOf(page, 'old.txt')).toBeVisible();
  await storage.put({ 'Inbox/scan.pdf': 'new' });
  await expect(async () => {
    await openFolder(page, '/browse/Server/Inbox');
    await expect(rowOf(page, 'scan.pdf')).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect
    .poll(async () => (await (await page.request.get(listArrivals.path)).json()) as object)
    .toMatchObject({ data: { arrivals: [{ name: 'scan.pdf', count: 1 }] } });
  const links = (await (await page.request.get('/rest/ws/all_links')).json()) as {
    data: { activeSources: { links: { userLinkId: string }[] }[] };
  };
  const userLinkId = links.data.activeSources[0]?.links[0]?.userLinkId;
  // SFTP servers do not report free space, so the answer is made up.
  await page.route(`**${linkRooms.path}`, (route) =>
    route.fulfill({
      json: { data: { rooms: [{ userLinkId, used: 4_831_838_208, total: 5_368_709_120, at: 1_800_000_000 }], isAsking: false } },
    }),
  );
  await page.goto('/account/mysheaf');
  const arrived = page.getByRole('region', { name: 'Arrived' });
  await expect(arrived.getByRole('link')).toHaveText(['scan.pdf']);
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('Server is nearly full: 4.5 GB of 5.0 GB.');
  await expect(page.getByRole('region', { name: 'Links list' }).getByTitle('4.5 GB of 5.0 GB')).toBeVisible();
  await expectAccessible(page);
  await arrived.getByRole('link').click();
  await expect(page).toHaveURL('/browse/Server/Inbox?preview=scan.pdf');
});

test('an entry of the side menu is moved by dragging its grip on a touch screen', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/a.txt': 'x', 'Books/b.txt': 'x' });
  await openFolder(page);
  for (const name of ['Album', 'Books']) {
    await rowOf(page, name)
      .getByRole('button', { name: `Menu of ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Pin to the menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Pin to the menu' })).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Side menu' }).click();
  const pins = page.getByRole('region', { name: 'Pinned', exact: true });
  const names = pins.getByRole('listitem').getByRole('link');
  await expect(names).toHaveText(['Album', 'Books']);
  const middle = async (name: string): Promise<{ x: number; y: number }> => {
    const box = await pins.getByRole('button', { name: `Move ${name}` }).boundingBox();
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: 0, y: 0 };
  };
  const [from, to] = [await middle('Album'), await middle('Books')];
  const finger = await page.context().newCDPSession(page);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (const part of [0.4, 0.8, 1])
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: to.x, y: from.y + (to.y - from.y) * part }] });
  await expect(names).toHaveText(['Books', 'Album']);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.reload();
  await expect(names).toHaveText(['Books', 'Album']);
});
