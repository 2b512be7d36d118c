import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { pngOf } from '../fixtures/pictures.ts';
import { expect, expectAccessible, test } from '../fixtures/test.ts';
import { countCalls, openFolder } from './browse/actions.ts';

const cell = (page: Page, name: string): Locator => page.getByRole('gridcell', { name, exact: true });

/** Pictures with many aspect ratios. */
async function putPictures(folder: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = `picture ${String(index).padStart(2, '0')}.png`;
    await writeFile(join(folder, name), pngOf(100 + ((index * 37) % 200), 100 + ((index * 61) % 150), [60 + index * 3, 107, 79]));
  }
}

test('the gallery shows pictures in whole rows; a click opens the preview with next and previous [RT-010]', async ({
  owner: page,
  storage,
}) => {
  await putPictures(storage.path, 40);
  const more = countCalls(page, 'get_more');
  await openFolder(page, '/gallery/Server');
  const picture = cell(page, 'picture 00.png').locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const grid = page.getByRole('grid');
  // All rows but the last fill the width of the grid.
  await expect
    .poll(async () => {
      const widths = await grid.getByRole('row').evaluateAll((found) =>
        found.slice(0, -1).map((row) => {
          const boxes = [...row.children].map((child) => child.getBoundingClientRect());
          return Math.round((boxes.at(-1)?.right ?? 0) - (boxes[0]?.left ?? 0) - row.getBoundingClientRect().width);
        }),
      );
      return widths.every((difference) => Math.abs(difference) <= 1) && widths.length > 1;
    })
    .toBe(true);
  await cell(page, 'picture 01.png').click();
  await expect(page).toHaveURL('/gallery/Server?preview=picture+01.png');
  await expect(page.getByText('2 of 40')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('dialog', { name: 'picture 02.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/gallery/Server');
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(cell(page, 'picture 39.png')).toBeVisible();
  expect(more.count()).toBeGreaterThan(0);
});

for (const [width, height] of [
  [100, 1600],
  [1600, 100],
  [900, 900],
] as const) {
  test(`cards of the grid do not overlap with pictures of ${width} by ${height} @narrow`, async ({ owner: page, storage }) => {
    for (let index = 0; index < 12; index++) await writeFile(join(storage.path, `picture ${index}.png`), pngOf(width, height));
    await storage.put({ 'notes.txt': 'x', 'folder/inside.txt': 'x' });
    await openFolder(page, '/browse/Server?view=grid');
    const pictures = page.getByRole('gridcell').locator('img');
    await expect.poll(() => pictures.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length)).toBe(12);
    const overlaps = await page.getByRole('gridcell').evaluateAll((cells) => {
      const boxes = cells.map((one) => one.getBoundingClientRect());
      const isOver = (a: DOMRect, b: DOMRect): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return boxes.flatMap((box, index) => boxes.slice(index + 1).filter((other) => isOver(box, other))).length;
    });
    expect(overlaps).toBe(0);
  });
}

test('the list shows thumbnails, and the icon of the kind where there is none', async ({ owner: page, storage }) => {
  await writeFile(join(storage.path, 'cat.png'), pngOf(300, 200));
  await storage.put({ 'broken.png': 'no picture', 'notes.txt': 'x' });
  await openFolder(page);
  const picture = page.getByRole('row', { name: 'cat.png' }).locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  for (const name of ['broken.png', 'notes.txt']) {
    await expect(page.getByRole('row', { name }).locator('img')).toHaveCount(0);
    await expect(page.getByRole('row', { name }).locator('[role=gridcell] svg').first()).toBeVisible();
  }
});

test('thumbnails are small, in a picture format, and cached', async ({ owner: page, storage }) => {
  await writeFile(join(storage.path, 'large.png'), pngOf(3000, 2000));
  await openFolder(page, '/gallery/Server');
  const picture = cell(page, 'large.png').locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
  const address = (await picture.getAttribute('src')) ?? '';
  const answer = await page.request.get(address);
  expect(answer.headers()['content-type']).toBe('image/webp');
  expect(answer.headers()['content-security-policy']).toMatch(/^sandbox/);
  await page.context().clearCookies();
  expect((await page.request.get(address)).status()).toBe(401);
});

test('the gallery is one of three views of every folder, and of preview addresses [RT-052]', async ({ owner: page, storage }) => {
  await storage.put({ 'Day 1/': '', 'notes.txt': 'x' });
  await putPictures(storage.path, 3);
  await openFolder(page);
  await page.getByRole('button', { name: 'Gallery' }).click();
  await expect(page).toHaveURL('/browse/Server?view=gallery');
  await expect(page.getByRole('gridcell')).toHaveCount(5);
  await openFolder(page, '/preview/gallery/Server');
  await expect(page.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await cell(page, 'picture 01.png').click();
  await expect(page).toHaveURL('/preview/gallery/Server/picture%2001.png');
  await expect(page.getByRole('dialog', { name: 'picture 01.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/preview/gallery/Server');
  await cell(page, 'Day 1').click();
  await expect(page).toHaveURL('/preview/gallery/Server/Day%201');
});

test('pictures are selected by their checkbox and by the keyboard', async ({ owner: page, storage }) => {
  await putPictures(storage.path, 6);
  await openFolder(page, '/gallery/Server');
  await cell(page, 'picture 02.png').hover();
  await page.getByRole('button', { name: 'Select picture 02.png' }).click();
  await expect(cell(page, 'picture 02.png')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(cell(page, 'picture 03.png')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'picture 03.png' })).toBeVisible();
});

test('the gallery is accessible at both widths, and touch selects by the checkbox @narrow', async ({ owner: page, storage, hasTouch }) => {
  await storage.put({ 'Day 1/': '', 'notes.txt': 'x' });
  await putPictures(storage.path, 9);
  await openFolder(page, '/gallery/Server');
  const tick = page.getByRole('button', { name: 'Select picture 00.png' });
  await expect(tick).toHaveCSS('opacity', hasTouch ? '1' : '0');
  if (hasTouch) await tick.tap();
  await expect(cell(page, 'picture 00.png')).toHaveAttribute('aria-selected', String(hasTouch));
  await expectAccessible(page);
});
