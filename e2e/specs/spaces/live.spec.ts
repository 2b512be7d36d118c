import type { Page } from '@playwright/test';
import { folderEvents } from '@sheaf/contract';
import { call, expect } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { makeSharedSpace, test, uriOf } from './actions.ts';

/** Far below the half minute after which a folder refreshes by itself. */
const soon = { timeout: 10_000 } as const;

const countOf = (page: Page) => page.getByRole('grid').getAttribute('aria-rowcount');
const topOf = async (page: Page, name: string) => (await rowOf(page, name).boundingBox())?.y;

test('a change shows at once in every window of everybody, and moves no row that is in use', async ({ payer, nora, sheaf, storage }) => {
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

  // The cursor stays on its item, not on its number.
  await rowOf(page, 'p01.txt').click();
  await page.mouse.move(5, 5);
  await call(payer, '/rest/content/delete_object', { linkUri: `${parentLinkUri}/a%20first` });
  await expect(rowOf(page, 'a first')).toHaveCount(0, soon);
  await page.getByRole('grid').focus();
  await page.keyboard.press('F2');
  await expect(page.getByLabel('New name')).toHaveValue('p01.txt');
});
