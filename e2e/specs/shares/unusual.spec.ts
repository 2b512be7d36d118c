import type { Page } from '@playwright/test';
import { refused } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { share, shareRows, watchShareCalls } from './actions.ts';

const folder = (name: string) => ({ name, path: name, fileType: 'FOLDER' });
const opened = { data: { name: 'Trip', isFolder: true, expirationSeconds: 0, item: { ...folder('Trip'), path: '' } } };
const listed = (...items: readonly object[]) => ({ data: { items, total: items.length, hasMore: false, stale: false } });
const needsPassword = refused(422, 'WEBLINK_PASSWORD_NEEDED', 'This link is protected. Enter the password.');
const open = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

test('an open share that requires its password again asks for it, and continues where it was', async ({ page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('open', opened);
  calls.answer('list', listed(folder('Days')));
  await page.goto('/s/7dQm');
  await expect(page.getByText('1 item')).toBeVisible();
  calls.answer('list', needsPassword);
  await open(page, 'Days');
  await expect(page.getByRole('heading', { name: 'This link is protected.' })).toBeVisible();
  calls.answer('list', listed(folder('Monday')));
  await page.getByRole('textbox', { name: 'Password' }).fill('tell no one');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Days');
  await expect(page.getByRole('link', { name: 'Monday', exact: true })).toBeVisible();
});

test('a share that ends while it is open is no longer available', async ({ page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('open', opened);
  calls.answer('list', listed(folder('Days')));
  await page.goto('/s/7dQm');
  await expect(page.getByText('1 item')).toBeVisible();
  calls.answer('list', refused(415, 'WEBLINK_GONE', 'This link is not available. It may have expired or been removed.'));
  await open(page, 'Days');
  await expect(page.getByText('This link is not available.')).toBeVisible();
});

test('a share whose storage cannot be reached says so and can be retried @narrow', async ({ page }) => {
  const calls = await watchShareCalls(page);
  const unreachable = 'This item cannot be reached at the moment. Please try again later.';
  calls.answer('open', refused(740, 'WEBLINK_UNREACHABLE', unreachable));
  await page.goto('/s/7dQm');
  await expect(page.getByRole('alert')).toContainText(unreachable);
  await expectAccessible(page);
  calls.answer('open', opened);
  calls.answer('list', listed());
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download all' })).toHaveCount(0);
});

test('too many wrong passwords are reported as such', async ({ page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('open', needsPassword);
  await page.goto('/s/7dQm');
  await expect(page.getByRole('button', { name: 'Open' })).toBeDisabled();
  calls.answer('open', refused(722, 'TOO_MANY_TRIES', 'Too many attempts. Please wait 30 seconds and try again.'));
  await page.getByRole('textbox', { name: 'Password' }).fill('guess');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Too many attempts. Please wait 30 seconds and try again.')).toBeVisible();
});

test('rows that arrive while the storage is still being read appear by themselves', async ({ page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('open', opened);
  calls.answer('list', { data: { items: [], hasMore: false, stale: true } });
  await page.goto('/s/7dQm');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(page.getByText('This folder is empty')).toHaveCount(0);
  calls.answer('list', listed(folder('Days')));
  await expect(page.getByRole('link', { name: 'Days', exact: true })).toBeVisible();
});

const days = (from: number, hasMore: boolean) => ({
  data: { items: Array.from({ length: 25 }, (_, day) => folder(`Day ${from + day}`)), total: 50, hasMore, stale: false },
});

test('a failure to load rows is reported once, and can be retried @narrow', async ({ page }) => {
  const calls = await watchShareCalls(page);
  let asked = 0;
  page.on('request', (request) => void (asked += request.url().endsWith('/rest/weblink/list') ? 1 : 0));
  calls.answer('open', opened);
  calls.answer('list', days(1, true));
  await page.goto('/s/7dQm');
  await expect(page.getByText('50 items')).toBeVisible();
  calls.answer('list', refused(740, 'WEBLINK_UNREACHABLE', 'This item cannot be reached at the moment. Please try again later.'));
  await page.getByRole('link', { name: 'Day 25', exact: true }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('alert')).toContainText('cannot be reached at the moment');
  await page.mouse.wheel(0, 500);
  await expectAccessible(page);
  expect(asked).toBe(2);
  calls.answer('list', days(26, false));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Day 50', exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a share that ends before its last rows are loaded is no longer available', async ({ page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('open', opened);
  calls.answer('list', days(1, true));
  await page.goto('/s/7dQm');
  await expect(page.getByText('50 items')).toBeVisible();
  calls.answer('list', refused(415, 'WEBLINK_GONE', 'This link is not available. It may have expired or been removed.'));
  await page.getByRole('link', { name: 'Day 25', exact: true }).scrollIntoViewIfNeeded();
  await expect(page.getByText('This link is not available.')).toBeVisible();
});

test('an address can be copied even if the browser denies the clipboard', async ({ user: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [share('s1', 'dusk.jpg')] });
  await page.goto('/shared');
  await shareRows(page).first().hover();
  await page.getByRole('button', { name: 'Copy the address of dusk.jpg' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused();
  const reader = await context.newPage();
  await reader.goto('/about');
  await reader.bringToFront();
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe('http://sheaf.example/s/s1');
});

test('the home page has the shares as a category of their own', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [share('s1', 'dusk.jpg')] });
  await page.goto('/account/mysheaf?catid=shares');
  await expect(shareRows(page)).toHaveText([/dusk\.jpg/]);
  await page.getByRole('button', { name: 'LINKS' }).click();
  await expect(page).toHaveURL('/account/mysheaf?catid=shares&sort=name&order=asc');
  await expect(shareRows(page)).toHaveCount(1);
});

test('names of a whole sentence leave the page of a share as wide as its window @narrow', async ({ page }) => {
  const long = 'A name that somebody made by saving a web page with its whole title twice over (final) (really final) - Copy (2)';
  const calls = await watchShareCalls(page);
  const file = { name: `${long}.bin`, path: '', fileType: 'FILE', size: 1, mimeType: 'application/octet-stream' };
  calls.answer('open', { data: { ...opened.data, name: file.name, isFolder: false, item: file } });
  await page.goto('/s/7dQm');
  const download = page.getByRole('link', { name: `Download ${file.name}` });
  await expect(download).toBeInViewport({ ratio: 1 });
  calls.answer('open', opened);
  calls.answer('list', listed(folder('Days')));
  await page.goto(`/s/8eRn/${encodeURIComponent(long)}/${encodeURIComponent(long)}`);
  await expect(page.getByRole('link', { name: 'Days', exact: true })).toBeVisible();
  const { width, height } = (await page.getByRole('heading', { level: 1 }).boundingBox()) ?? { width: 0, height: 0 };
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  expect(height).toBeLessThanOrEqual(90);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});
