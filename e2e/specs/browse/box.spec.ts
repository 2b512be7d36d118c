import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

const chosen = async (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('grid')
    .locator('[aria-selected=true]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });

/** Centre of the empty part of a row, in window pixels. */
async function besideName(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await rowOf(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not in sight`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function draw(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
}

test('a box drawn next to the names selects the rows it touches, Ctrl adds to the selection, and Esc restores it', async ({
  owner: page,
  storage,
}) => {
  const names = Array.from({ length: 60 }, (_, at) => `file ${String(at + 10)}.txt`);
  await storage.put(Object.fromEntries(names.map((name) => [name, name])));
  await openFolder(page);
  await draw(page, await besideName(page, 'file 12.txt'), await besideName(page, 'file 14.txt'));
  await expect(page.locator('[data-selection-box]')).toBeVisible();
  await page.mouse.up();
  expect(await chosen(page)).toEqual(['file 12.txt', 'file 13.txt', 'file 14.txt']);
  await expect(bar(page)).toContainText('3 selected');
  await expect(page.getByRole('grid')).toBeFocused();
  expect(await page.evaluate(() => String(getSelection()))).toBe('');

  await page.keyboard.down('Control');
  await draw(page, await besideName(page, 'file 16.txt'), await besideName(page, 'file 17.txt'));
  await page.mouse.up();
  await page.keyboard.up('Control');
  await expect(bar(page)).toContainText('5 selected');

  await draw(page, await besideName(page, 'file 19.txt'), await besideName(page, 'file 20.txt'));
  await expect(bar(page)).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-selection-box]')).toHaveCount(0);
  await expect(bar(page)).toContainText('5 selected');
  await page.mouse.up();

  // Held at the lower edge, the box scrolls the list to its end and selects every row on the way.
  const { x, y } = await besideName(page, 'file 10.txt');
  await draw(page, { x, y }, { x, y: (page.viewportSize()?.height ?? 0) - 4 });
  await expect(bar(page)).toContainText('60 selected', { timeout: 20_000 });
  await page.mouse.up();
  await expect(rowOf(page, 'file 69.txt')).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  const card = await page.getByRole('gridcell', { name: 'file 10.txt' }).boundingBox();
  const other = await page.getByRole('gridcell', { name: 'file 11.txt' }).boundingBox();
  if (!card || !other) throw new Error('no cards');
  await draw(page, { x: card.x - 6, y: card.y + 8 }, { x: other.x + 20, y: card.y + 60 });
  await page.mouse.up();
  await expect.poll(() => chosen(page)).toEqual(['file 10.txt', 'file 11.txt']);
  await page.getByRole('button', { name: 'Gallery', exact: true }).click();
  const picture = await page.getByRole('gridcell', { name: 'file 12.txt' }).boundingBox();
  if (!picture) throw new Error('no pictures');
  await draw(page, { x: picture.x - 3, y: picture.y + 8 }, { x: picture.x + 20, y: picture.y + 60 });
  await page.mouse.up();
  await expect.poll(() => chosen(page)).toEqual(['file 12.txt']);
});

test('Space opens the preview, Ctrl-Space selects, and Alt with an arrow goes back, forward and up', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/inside.txt': 'within', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  const grid = page.getByRole('grid');
  await expect(grid).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press(' ');
  await expect(page.getByRole('dialog', { name: 'letter.txt' })).toContainText('Dear reader');
  await page.keyboard.press(' ');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(grid).toBeFocused();
  await page.keyboard.press('Control+ ');
  await expect(rowOf(page, 'letter.txt')).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/browse/Server/Album');
  await expect(rowOf(page, 'inside.txt')).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page).toHaveURL('/browse/Server');
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page).toHaveURL('/browse/Server/Album');
  await expect(rowOf(page, 'inside.txt')).toBeVisible();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page).toHaveURL('/browse/Server');
  await expect(rowOf(page, 'Album')).toBeVisible();
  await page.keyboard.press('Alt+n');
  await expect(page.getByLabel('New name')).toHaveValue('New Folder');
});
