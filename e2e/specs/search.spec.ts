import type { Page } from '@playwright/test';
import { type Found, search } from '@sheaf/contract';
import { call, expect, expectAccessible, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search every link' });
const found = (page: Page) =>
  dialog(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });

/** Opens these folders, and waits until the search finds that many of their items. */
async function learn(page: Page, addresses: readonly string[], items: number): Promise<void> {
  for (const address of addresses) await openFolder(page, address);
  await expect
    .poll(async () => (await call<Found>(page, search.path, { query: 'in:/' })).total, { message: 'items known to the search' })
    .toBe(items);
}

test('Ctrl+K and slash open the search, results appear while typing, Enter opens an item and Alt+Enter its folder', async ({
  owner: page,
  storage,
}) => {
  await storage.put({
    'Gotland in June/Ferry to Visby.pdf': 'ferry',
    'Gotland in June/Übernachtung.txt': 'night',
    'Offers/Offer Gotland.docx': 'offer',
    'Offers/photo 100%_a.jpg': 'photo',
  });
  await learn(page, ['/browse/Server', '/browse/Server/Gotland%20in%20June', '/browse/Server/Offers'], 6);
  await rowOf(page, 'Offer Gotland.docx').click();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await field(page).pressSequentially('gotland');
  await expect(found(page)).toHaveCount(2);
  await expect(found(page).first()).toContainText('Gotland in June');
  await expect(dialog(page).getByText('2 results')).toBeVisible();
  await expect(dialog(page)).toContainText('The link is fully known.');
  await expectAccessible(page);

  await field(page).fill('visby june');
  await expect(found(page)).toHaveCount(1);
  await expect(found(page)).toContainText('Ferry to Visby.pdf');
  await page.keyboard.press('Alt+Enter');
  await expect(page).toHaveURL('/browse/Server/Gotland%20in%20June');
  await expect(dialog(page)).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await field(page).fill('uber');
  await expect(found(page)).toContainText('Übernachtung.txt');
  await expect(found(page).locator('mark')).toHaveText('Über');
  await field(page).fill('100%_');
  await expect(found(page)).toContainText('photo 100%_a.jpg');
  await field(page).fill('offer');
  await expect(found(page)).toHaveCount(2);
  await expect(found(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/browse/Server/Offers');
  await expect(rowOf(page, 'Offer Gotland.docx')).toBeVisible();
});

test('chips narrow the results, no results and a lost server are reported, and Esc closes the search @narrow', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'a plan.pdf': 'x', 'plan.jpg': 'x', 'plans/': '' });
  await learn(page, ['/browse/Server', '/browse/Server/plans'], 3);
  await page.getByRole('button', { name: 'Search every link' }).click();
  await field(page).fill('plan');
  await expect(found(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Type', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pictures' }).click();
  await expect(field(page)).toHaveValue('plan type:image');
  await expect(found(page)).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Type: Pictures' }).click();
  await page.getByRole('menuitem', { name: 'Any' }).click();
  await expect(found(page)).toHaveCount(3);
  await field(page).fill('nowhere');
  await expect(dialog(page)).toContainText('Nothing found in the folders that Sheaf knows.');
  await page.route(`**${search.path}`, (route) => route.abort());
  await field(page).fill('lost');
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await page.unroute(`**${search.path}`);
  await field(page).fill('plan');
  await expect(found(page)).toHaveCount(3);
  await found(page).filter({ hasText: 'plans' }).getByRole('button').click();
  await expect(page).toHaveURL('/browse/Server');
  await page.getByRole('button', { name: 'Search every link' }).click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('a search that looked through a part of the names says so, with and without results @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'a plan.pdf': 'x', 'plan.jpg': 'x' });
  await learn(page, ['/browse/Server'], 2);
  // Only millions of names exceed the budget of a search: the server's answer becomes what it is then.
  await page.route(`**${search.path}`, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: Found };
    const { total: _total, ...part } = data;
    const links = data.links.map(({ found: _found, ...link }) => ({ ...link, isPartial: true }));
    await route.fulfill({ response, json: { ...rest, data: { ...part, links, isPartial: true } } });
  });
  await page.getByRole('button', { name: 'Search every link' }).click();
  await field(page).fill('plan');
  await expect(found(page)).toHaveCount(2);
  await expect(dialog(page).getByText('2 so far')).toHaveCount(2);
  const note = dialog(page).getByText('Only a part of the names was looked through: narrow the search.');
  await expect(note).toBeInViewport();
  await expect(dialog(page).getByText('Nothing found')).toHaveCount(0);
  const fits = () => dialog(page).evaluate((box) => box.scrollWidth <= box.clientWidth);
  expect(await fits()).toBe(true);
  await expectAccessible(page);

  await field(page).fill('nowhere');
  await expect(dialog(page).getByText('0 so far')).toBeVisible();
  await expect(dialog(page)).toContainText('Nothing found so far. Only a part of the names was looked through: narrow the search.');
  await expect(dialog(page)).not.toContainText('in the folders that Sheaf knows');
  expect(await fits()).toBe(true);
});

test('the question mark shows the shortcuts, but not while typing', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('Search every link');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await field(page).pressSequentially('?/');
  await expect(field(page)).toHaveValue('?/');
  await expect(keys).toHaveCount(0);
});
