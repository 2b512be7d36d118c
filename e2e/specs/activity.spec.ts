import { readFile } from 'node:fs/promises';
import { createWeblink, linkUriOf } from '@sheaf/contract';
import { linkFolder, sftpInfo } from '../fixtures/storage.ts';
import { call, expect, expectAccessible, test } from '../fixtures/test.ts';

test('events of links and shares are listed, newest first, and saved as a table @narrow', async ({ user: page, storage }) => {
  await page.goto('/account/activity');
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
  await storage.put({ 'plan.txt': 'a plan' });
  const { userLinkId } = await linkFolder(page, 'NAS', sftpInfo(storage.server, storage.path));
  await call(page, createWeblink.path, { linkUri: linkUriOf(userLinkId, '/plan.txt') });
  await page.reload();
  const rows = page.getByRole('listitem').filter({ has: page.locator('time') });
  await expect(rows.first()).toContainText('Mara Halm shared plan.txt by a public link');
  await expect(rows.nth(1)).toContainText('linked NAS');
  await expect(rows.first().locator('time')).toHaveAttribute('title', /\d{4}/);
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expectAccessible(page);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^sheaf-activity-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain('shared plan.txt by a public link');
});

test('a log longer than a page is shown in parts', async ({ user: page, storage }) => {
  const { userLinkId } = await linkFolder(page, 'NAS', sftpInfo(storage.server, storage.path));
  await storage.put({ 'plan.txt': 'a plan' });
  for (let count = 0; count < 60; count++) await call(page, createWeblink.path, { linkUri: linkUriOf(userLinkId, '/plan.txt') });
  await page.goto('/account/activity');
  const times = page.locator('time');
  await expect(times).toHaveCount(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => times.count()).toBeGreaterThanOrEqual(60);
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
});

test('the log of another user’s space is refused, and a server that does not answer is reported @narrow', async ({ user: page }) => {
  await page.goto('/account/activity?space=none');
  await expect(page.getByText('This space could not be found. It may have ended.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Log' }).selectOption('My account');
  await expect(page).toHaveURL('/account/activity');
  await page.route('/rest/audit/list**', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The log could not be shown' })).toBeVisible();
});
