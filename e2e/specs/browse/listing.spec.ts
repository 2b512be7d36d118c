import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { run, startProxy } from '@sheaf/testbed';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { countCalls, openFolder, rowOf, rows } from './actions.ts';

const numbered = (count: number, digits = 3): string[] =>
  Array.from({ length: count }, (_, index) => `file ${String(index).padStart(digits, '0')}.txt`);
const contents = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));

/** From the next page load on, records whether a grid cell moves after it was drawn. */
const noteMovedCells = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & { readonly sources: readonly { readonly node: Node | null }[] };
    new PerformanceObserver((list) => {
      const moved = (list.getEntries() as Shift[]).flatMap(({ sources }) => sources.map(({ node }) => node));
      if (moved.some((node) => node instanceof Element && node.role === 'gridcell')) document.documentElement.dataset['moved'] = '';
    }).observe({ type: 'layout-shift', buffered: true });
  });

test('25 rows load first, and 25 more once half is scrolled past [BRW-03] [BRW-04] [BRW-05]', async ({ owner: page, storage }) => {
  await storage.put(contents(numbered(120)));
  const first = countCalls(page, 'remote_update');
  const more = countCalls(page, 'get_more');
  await openFolder(page);
  await expect(rowOf(page, 'file 000.txt')).toBeVisible();
  expect(first.bodies().every((body) => new URLSearchParams(body).get('limit') === '25')).toBe(true);
  const grid = page.getByRole('grid');
  const scrollTo = (top: number): Promise<void> => grid.evaluate((element, y) => element.scrollTo(0, y), top);
  await scrollTo(40);
  await page.waitForFunction(() => document.querySelector('[role=grid]')?.scrollTop === 40);
  expect(more.count()).toBe(0);
  await scrollTo(200);
  await expect.poll(more.count).toBe(1);
  const asked = new URLSearchParams(more.bodies()[0]);
  expect([asked.get('offset'), asked.get('limit')]).toEqual(['25', '25']);
  await page.getByRole('grid').press('End');
  await expect(rowOf(page, 'file 119.txt')).toBeVisible();
});

test('10,000 entries scroll without delays', async ({ owner: page, storage }) => {
  test.slow();
  const names = numbered(10_000, 5);
  for (const name of names) await writeFile(join(storage.path, name), '');
  await openFolder(page);
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '10001');
  for (const index of [5000, 9999, 120, 7321]) {
    await grid.evaluate((element, top) => element.scrollTo(0, top), index * 40 - 200);
    await expect(rowOf(page, names[index] ?? '')).toBeVisible({ timeout: 5000 });
    await expect(grid.locator('[aria-busy]')).toHaveCount(0);
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
  }
});

test('order and filter cover the whole folder, are part of the address, and survive a reload', async ({ owner: page, storage }) => {
  await storage.put({ ...contents(numbered(60)), 'zebra.txt': 'x'.repeat(5000), 'Apples/': '' });
  await openFolder(page);
  await expect(rows(page).first()).toHaveAccessibleName('Apples');
  await page.getByRole('button', { name: 'Size', exact: true }).click();
  await page.getByRole('button', { name: 'Size', exact: true }).click();
  await expect(page).toHaveURL('/browse/Server?sort=size&order=desc');
  await expect(rows(page).filter({ hasNotText: 'Apples' }).first()).toHaveAccessibleName('zebra.txt');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending');
  await expect(rows(page).filter({ hasNotText: 'Apples' }).first()).toHaveAccessibleName('zebra.txt');
  await page.getByLabel('Filter this folder').fill('zebr');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('1 of 62')).toBeVisible();
  await expect(page).toHaveURL(/filter=zebr/);
  await page.reload();
  await expect(rows(page)).toHaveText([/zebra\.txt/]);
  await page.getByLabel('Filter this folder').fill('nothing like it');
  await expect(page.getByText('No items match')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(rowOf(page, 'Apples')).toBeVisible();
});

test('a date is the time today, "Yesterday" and the time, or the date [BRW-22] [BRW-23] [BRW-24]', async ({ owner: page, storage }) => {
  const times = {
    'today.txt': '2026-11-21T09:05:00+01:00',
    'yesterday.txt': '2026-11-20T23:30:00+01:00',
    'older.txt': '2026-11-03T09:05:00+01:00',
  };
  for (const [name, time] of Object.entries(times)) {
    await storage.put({ [name]: 'x' });
    await utimes(join(storage.path, name), new Date(time), new Date(time));
  }
  await page.clock.setFixedTime('2026-11-21T12:00:00+01:00');
  await openFolder(page);
  await expect(rowOf(page, 'today.txt')).toContainText('09:05');
  await expect(rowOf(page, 'yesterday.txt')).toContainText('Yesterday 23:30');
  await expect(rowOf(page, 'older.txt')).toContainText('3 Nov 2026');
  await expect(rowOf(page, 'today.txt')).not.toContainText('2026');
});

test('new items at the storage appear after a refresh and are marked', async ({ owner: page, storage }) => {
  await storage.put({ 'old.txt': 'x' });
  await openFolder(page);
  await expect(rowOf(page, 'old.txt')).toBeVisible();
  await storage.put({ 'added elsewhere.txt': 'x' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(rowOf(page, 'added elsewhere.txt')).toContainText('New');
  await expect(rowOf(page, 'old.txt')).not.toContainText('New');
});

test('list, grid and empty folder are accessible at both widths, and touch screens show the checkbox of a card @narrow', async ({
  owner: page,
  storage,
  hasTouch,
}) => {
  await storage.put({ 'Photos/': '', 'letter.txt': 'x', 'no picture.png': 'xyz' });
  await openFolder(page);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await expectAccessible(page);
  await noteMovedCells(page);
  await openFolder(page, '/browse/Server?view=grid');
  const card = page.getByRole('gridcell', { name: 'letter.txt' });
  const tick = page.getByRole('button', { name: 'Select letter.txt' });
  await expect(card).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'no picture.png' }).getByText('3 bytes')).toBeVisible();
  await expect(tick).toHaveCSS('opacity', hasTouch ? '1' : '0');
  await (hasTouch ? tick.tap() : tick.click());
  await expect(card).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected');
  await expectAccessible(page);
  await expect(page.locator('html[data-moved]')).toHaveCount(0);
  const filter = page.getByLabel('Filter this folder');
  await filter.fill('letter');
  await filter.blur();
  await expect.poll(async () => (await filter.boundingBox())?.width).toBeGreaterThan(100);
  await openFolder(page, '/browse/Server/Photos');
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expectAccessible(page);
});

test('a storage that refuses the credentials is named, with a link to its dialog and back [BRW-06] [BRW-08]', async ({
  user: page,
  storage,
}) => {
  await linkFolder(page, 'Server', { ...sftpInfo(storage.server, storage.path), password: 'no longer right' });
  await page.goto('/browse/Server');
  await expect(page.getByRole('alert').filter({ hasText: 'Cannot access' })).toContainText(
    'Cannot access Server. Your Server link credentials are not valid.',
  );
  const fix = page.getByRole('link', { name: 'Fix Server' });
  await expect(fix).toBeVisible();
  await expectAccessible(page);
  await fix.click();
  await expect(page.getByRole('heading', { name: 'Edit Server' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/browse/Server');
});

type Box = { x: number; y: number; width: number; height: number } | null;
const overlap = (one: Box, other: Box): boolean =>
  one !== null &&
  other !== null &&
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test('a missing folder is reported once, while it is missing, with a way to retry @narrow [BRW-06] [BRW-07]', async ({
  owner: page,
  storage,
}) => {
  await page.clock.install();
  await page.goto('/browse/Server/Gone');
  const told = page.getByRole('region', { name: 'Notifications' }).getByRole('alert');
  await expect(told).toHaveText('Cannot browse Server/Gone. "Gone" no longer exists.');
  await expect(page.getByText('no longer exists')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'This folder cannot be shown' })).toBeVisible();
  await expectAccessible(page);
  await page.clock.runFor(60_000);
  await expect(told).toHaveCount(1);
  const message = await told.boundingBox();
  for (const used of [page.getByRole('navigation'), page.getByRole('button', { name: 'Try again' })])
    for (const one of await used.all()) expect(overlap(message, await one.boundingBox())).toBe(false);
  await page.clock.resume();
  await mkdir(join(storage.path, 'Gone'));
  await run('chown', [storage.server.username, join(storage.path, 'Gone')]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expect(told).toHaveCount(0);
});

test('when the storage is unreachable the stored rows stay, with the reason', async ({ user: page, storage }) => {
  await storage.put({ 'letter.txt': 'x' });
  const proxy = await startProxy({ target: storage.server });
  await linkFolder(page, 'Server', sftpInfo({ ...storage.server, port: proxy.port }, storage.path));
  await openFolder(page);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await proxy.stop();
  await page.reload();
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(/^Stored .+\. .+(connect|closed).+/)).toBeVisible({ timeout: 30_000 });
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
});
