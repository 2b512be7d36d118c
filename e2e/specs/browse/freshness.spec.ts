import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

test('items added by others appear within half a minute while the folder is visible', async ({ owner: page, storage }) => {
  await storage.put({ 'mine.txt': 'x' });
  await page.clock.install();
  await openFolder(page);
  await expect(rowOf(page, 'mine.txt')).toBeVisible();
  await storage.put({ 'theirs.txt': 'y' });
  await expect(async () => {
    await page.clock.runFor(31_000);
    await expect(rowOf(page, 'theirs.txt')).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test('after midnight a file of today is of yesterday, though nothing else of its row has changed', async ({ owner: page, storage }) => {
  await storage.put({ 'mine.txt': 'x' });
  const noon = new Date('2026-03-10T12:00:00+01:00');
  await utimes(join(storage.path, 'mine.txt'), noon, noon);
  await page.clock.install({ time: new Date('2026-03-10T23:58:00+01:00') });
  await openFolder(page);
  await expect(rowOf(page, 'mine.txt')).toContainText('12:00');
  await expect(rowOf(page, 'mine.txt')).not.toContainText('Yesterday');
  await page.clock.runFor(180_000);
  await expect(rowOf(page, 'mine.txt')).toContainText('Yesterday 12:00');
});

test('items added by others appear on returning to the tab', async ({ owner: page, storage }) => {
  await storage.put({ 'mine.txt': 'x' });
  await openFolder(page);
  await expect(rowOf(page, 'mine.txt')).toBeVisible();
  await storage.put({ 'theirs.txt': 'y' });
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(rowOf(page, 'theirs.txt')).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test('an unreachable folder loads by itself once the network is back', async ({ owner: page, storage }) => {
  await storage.put({ 'inner/mine.txt': 'x' });
  await openFolder(page);
  await page.route('**/rest/content/**', (route) => route.abort());
  await rowOf(page, 'inner').dblclick();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.unrouteAll();
  await expect(rowOf(page, 'mine.txt')).toBeVisible();
});

test('an unknown link name leads to My links', async ({ owner: page }) => {
  await page.goto('/browse/Nobody');
  await expect(page.getByText('There is no link named Nobody')).toBeVisible();
  await page.getByRole('link', { name: 'Show my links' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
});

test('an unfinished rename is shown until it ends, and the folder is loaded again @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'album/a.txt': 'x', 'holiday/b.txt': 'x' });
  let renames = [{ name: 'album', newName: 'holiday' }];
  await page.route('**/rest/content/remote_update', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...(renames.length > 0 && { renames }) } } });
  });
  await openFolder(page);
  await expect(page.getByText('Renaming album to holiday')).toBeVisible();
  const anew = page.waitForRequest(
    (request) => request.url().includes('remote_update') && (request.postData() ?? '').includes('fresh=true'),
  );
  renames = [];
  await anew;
  await expect(page.getByText('Renaming album to holiday')).toBeHidden();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
