import { expect, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

test('what others add shows within half a minute while the folder is in view', async ({ owner: page, storage }) => {
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

test('what others add shows on returning to the tab', async ({ owner: page, storage }) => {
  await storage.put({ 'mine.txt': 'x' });
  await openFolder(page);
  await expect(rowOf(page, 'mine.txt')).toBeVisible();
  await storage.put({ 'theirs.txt': 'y' });
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(rowOf(page, 'theirs.txt')).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test('a folder that could not be reached comes by itself once the network is back', async ({ owner: page, storage }) => {
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
