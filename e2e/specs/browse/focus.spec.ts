import { startOpenssh } from '@sheaf/testbed';
import { linkFolder, makeStorage, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

for (const view of ['list', 'grid', 'gallery']) {
  test(`entering a folder moves the focus to its ${view}, and going up moves it to the folder left`, async ({ owner: page, storage }) => {
    await storage.put({ 'a/first.txt': 'x', 'b/deep/inside.txt': 'x', 'b/zebra.txt': 'x', 'c/last.txt': 'x' });
    await openFolder(page, `/browse/Server?view=${view}`);
    await expect(page.getByRole('grid')).toBeFocused();
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/browse/Server/b');
    await expect(page.getByRole('grid', { name: 'b' })).toBeFocused();
    await page.keyboard.press('z');
    await expect(page.locator('[data-current]')).toHaveAccessibleName('zebra.txt');
    await page.keyboard.press('Backspace');
    await expect(page).toHaveURL('/browse/Server');
    await expect(page.getByRole('grid', { name: 'Server' })).toBeFocused();
  });
}

test('after going up, the folder left is visible and focused even far down the list', async ({ owner: page, storage }) => {
  await storage.put(Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`folder ${String(index).padStart(3, '0')}/x.txt`, 'x'])));
  await openFolder(page, '/browse/Server/folder%20100');
  await page.keyboard.press('Backspace');
  await expect(rowOf(page, 'folder 100')).toBeInViewport();
  await expect(rowOf(page, 'folder 100')).toHaveAttribute('data-current');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/browse/Server/folder%20100');
});

test('two skip links lead past the bar and the toolbar to the list', async ({ owner: page, storage }) => {
  await storage.put({ 'notes.txt': 'x' });
  await openFolder(page);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the files' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid')).toBeFocused();
});

test('rows are links: the middle button opens a folder in a tab of its own', async ({ owner: page, storage }) => {
  await storage.put({ 'Häuser & co/inside.txt': 'x', 'notes.txt': 'x' });
  await openFolder(page);
  for (const view of ['List', 'Grid', 'Gallery']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    const link = page.getByRole('grid').getByRole('link', { name: 'Häuser & co' });
    await expect(link).toHaveAttribute('href', `/browse/Server/${encodeURIComponent('Häuser & co')}`);
    await expectAccessible(page);
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click({ button: 'middle' })]);
    await expect(tab.getByRole('grid')).toContainText('inside.txt');
    await tab.close();
    await expect(page).toHaveURL((url) => url.pathname === '/browse/Server');
  }
});

test('each folder is shown as the user left it, even after a reload', async ({ owner: page, storage }) => {
  await storage.put({ 'photos/one.txt': 'x', 'notes.txt': 'x' });
  await openFolder(page, '/browse/Server/photos');
  await page.getByRole('button', { name: 'Grid' }).click();
  await openFolder(page, '/browse/Server');
  await expect(page.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true');
  await rowOf(page, 'photos').dblclick();
  await expect(page.getByRole('button', { name: 'Grid' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'List' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true');
});

test('a refused rename keeps the field with the typed name, and reports the reason once', async ({ user: page, unique }) => {
  const server = await startOpenssh({ readOnly: true });
  const storage = await makeStorage(server, unique);
  await storage.put({ 'letter.txt': 'x' });
  await linkFolder(page, 'Server', sftpInfo(server, storage.path));
  for (const view of ['list', 'grid']) {
    await openFolder(page, `/browse/Server?view=${view}`);
    await page.keyboard.press('l');
    await page.keyboard.press('F2');
    await page.getByLabel('New name').fill('other.txt');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Cannot rename letter.txt. ');
    await expect(page.getByRole('alert')).toHaveCount(1);
    const field = page.getByLabel('New name');
    await expect(field).toHaveValue('other.txt');
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/^Cannot rename letter\.txt\. /);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
    await expect(page.getByRole('grid')).toContainText('letter.txt');
  }
  await server.stop();
});
