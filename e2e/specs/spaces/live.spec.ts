import type { Page } from '@playwright/test';
import { folderEvents } from '@sheaf/contract';
import { call, expect } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { makeSharedSpace, test, uriOf } from './actions.ts';

/** Far below the 30 seconds after which a folder refreshes by itself. */
const soon = { timeout: 10_000 } as const;

const countOf = (page: Page) => page.getByRole('grid').getAttribute('aria-rowcount');
const topOf = async (page: Page, name: string) => (await rowOf(page, name).boundingBox())?.y;

test('a change appears at once in all windows of all users, and moves no row that is in use', async ({ payer, nora, sheaf, storage }) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`Photos/p${String(at).padStart(2, '0')}.txt`, 'x']));
  await storage.put(files);
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'editor');
  const parentLinkUri = await uriOf(payer, 'Server/Photos');
  const addFolder = (folderName: string) => call(payer, '/rest/content/add_folder', { parentLinkUri, folderName });
  const { page } = nora;
  const other = await page.context().newPage();
  const streams: Page[] = [];
  for (const one of [page, other])
    one.on('request', (request) => void (new URL(request.url()).pathname === folderEvents.path && streams.push(one)));
  await openFolder(payer, '/browse/Server/Photos');
  const isFollowing = page.waitForResponse((response) => new URL(response.url()).pathname === folderEvents.path);
  await openFolder(page, '/browse/Holidays');
  await isFollowing;
  await openFolder(other, '/browse/Holidays');

  await addFolder('a first');
  for (const window of [payer, page, other]) await expect(rowOf(window, 'a first')).toBeVisible(soon);
  expect(new Set(streams).size, 'the windows of a browser share one stream').toBe(1);
  await call(page, '/rest/content/add_folder', { parentLinkUri: await uriOf(page, 'Holidays'), folderName: 'a second' });
  await expect(rowOf(payer, 'a second')).toBeVisible(soon);

  // A scrolled list stays where it is.
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
  await expect(rowOf(page, 'p59.txt')).toBeVisible();
  const [count, top] = [await countOf(page), await topOf(page, 'p50.txt')];
  await addFolder('a third');
  await expect.poll(() => countOf(page), soon).not.toBe(count);
  expect(await topOf(page, 'p50.txt')).toBeCloseTo(top ?? 0, 0);

  // Rows keep their places while a field is open, and while the pointer presses.
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: 0 }));
  await rowOf(page, 'p00.txt').click();
  await page.keyboard.press('F2');
  await expect(page.getByLabel('New name')).toBeVisible();
  await addFolder('a fourth');
  await expect(rowOf(other, 'a fourth')).toBeVisible(soon);
  await expect(rowOf(page, 'a fourth')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'a fourth')).toBeVisible(soon);
  await rowOf(page, 'a first').hover();
  await page.mouse.down();
  await addFolder('a fifth');
  await expect(rowOf(other, 'a fifth')).toBeVisible(soon);
  await expect(rowOf(page, 'a fifth')).toHaveCount(0);
  await page.mouse.up();
  await expect(rowOf(page, 'a fifth')).toBeVisible(soon);

  // The cursor stays on its item, not at its index.
  await rowOf(page, 'p01.txt').click();
  await page.mouse.move(5, 5);
  await call(payer, '/rest/content/delete_object', { linkUri: `${parentLinkUri}/a%20first` });
  await expect(rowOf(page, 'a first')).toHaveCount(0, soon);
  await page.getByRole('grid').focus();
  await page.keyboard.press('F2');
  await expect(page.getByLabel('New name')).toHaveValue('p01.txt');
});

/** Resolves with the time at which the item appears, epoch ms. Measured in the page, to exclude delays of the driver. */
const shownAt = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const isThere = (): boolean => document.querySelector(`[role=grid] [role=row][aria-label="${wanted}"]`) !== null;
        const observer = new MutationObserver(() => {
          if (!isThere()) return;
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(document.body, { childList: true, subtree: true, attributes: true });
      }),
    name,
  );

test('a change in one window appears in another one, and for another user, within a second', async ({
  payer,
  nora,
  sheaf,
  storage,
}, info) => {
  await storage.put({ 'Photos/first.txt': 'x' });
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'editor');
  const { page } = nora;
  const other = await page.context().newPage();
  await openFolder(payer, '/browse/Server/Photos');
  for (const window of [page, other]) {
    await openFolder(window, '/browse/Holidays');
    await expect(rowOf(window, 'first.txt')).toBeVisible();
  }
  const folder = await uriOf(page, 'Holidays');
  const add = (folderName: string) => call(page, '/rest/content/add_folder', { parentLinkUri: folder, folderName });
  // Waits until the windows receive events of the folder.
  await add('followed');
  for (const window of [payer, page, other]) await expect(rowOf(window, 'followed')).toBeVisible(soon);
  const took: number[][] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    const name = `round ${round}`;
    const seen = [shownAt(other, name), shownAt(payer, name)];
    await other.evaluate(() => undefined);
    await payer.evaluate(() => undefined);
    const changedAt = Date.now();
    await add(name);
    for (const [who, at] of (await Promise.all(seen)).entries()) took[who]?.push(at - changedAt);
  }
  // The median, because a single change may take longer on a busy machine.
  info.annotations.push({ type: 'shown after', description: `${took.map((times) => times.join(', ')).join('; ')} ms` });
  for (const times of took) expect(times.toSorted((a, b) => a - b)[2], String(times)).toBeLessThan(1000);
});
