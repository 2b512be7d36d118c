import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf, rows } from './actions.ts';

const menu = (page: Page) => page.getByRole('menu');
const entry = (page: Page, name: string) => menu(page).getByRole('menuitem', { name, exact: true });

test('the right button selects a row and opens its menu @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await rowOf(page, 'letter.txt').click({ button: 'right' });
  await expect(rowOf(page, 'letter.txt')).toHaveAttribute('aria-selected', 'true');
  await expect(menu(page).getByRole('menuitem')).toHaveText([
    /^Preview/,
    /^Open in new tab/,
    /^Download/,
    /^Share/,
    /^Copy link address/,
    /^Pin to the menu/,
    /^Details/,
    /^Copy/,
    /^Cut/,
    /^Copy to…/,
    /^Move to…/,
    /^Rename/,
    /^Delete/,
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await expect(page.getByRole('grid')).toBeFocused();
  await rowOf(page, 'letter.txt').click({ button: 'right' });
  await entry(page, 'Rename').click();
  await page.getByLabel('New name').fill('poem.txt');
  await page.keyboard.press('Enter');
  await expect.poll(() => storage.names()).toEqual(['Album', 'poem.txt']);
});

test('every entry can be reached with the pointer, even if the menu opens near the edge of a low window', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  // At 560 px the menu fits neither above nor below the row; at 400 px it does not fit at all.
  for (const height of [560, 400]) {
    await page.setViewportSize({ width: 1280, height });
    await rowOf(page, 'letter.txt').click({ button: 'right' });
    const edges = await menu(page).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom, below: element.scrollHeight > element.clientHeight ? getComputedStyle(element).overflowY : 'auto' };
    });
    expect(edges.top).toBeGreaterThanOrEqual(0);
    expect(edges.bottom).toBeLessThanOrEqual(height);
    expect(edges.below).toBe('auto');
    await page.keyboard.press('Escape');
  }
});

/** Presses Escape after the next menu appears and before it gets the focus; resolves when that is done. */
async function escapeBeforeFocus(page: Page, open: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    delete document.body.dataset['pressed'];
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    new MutationObserver((_, observer) => {
      const opened = document.querySelector('[role=menu]');
      if (!opened || opened.contains(document.activeElement)) return;
      observer.disconnect();
      document.body.dataset['pressed'] = 'Escape';
      document.activeElement?.dispatchEvent(escape);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await open();
  await expect(page.locator('body')).toHaveAttribute('data-pressed', 'Escape');
}

test('Escape closes a menu that does not have the focus yet, and keeps the selection', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await escapeBeforeFocus(page, () => rowOf(page, 'letter.txt').click({ button: 'right' }));
  await expect(menu(page)).toHaveCount(0);
  await expect(rowOf(page, 'letter.txt')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('grid')).toBeFocused();
});

test('Escape closes a button menu that does not have the focus yet, but not the dialog around it', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  for (const name of ['Menu of letter.txt', 'Upload', 'Sort by name', 'Columns', 'Beside Server']) {
    await test.step(name, async () => {
      const button = page.getByRole('button', { name, exact: true });
      await escapeBeforeFocus(page, () => button.click());
      await expect(menu(page)).toHaveCount(0);
      await button.click();
      await expect(menu(page)).toBeVisible();
      await button.click();
      await expect(menu(page)).toHaveCount(0);
    });
  }
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await escapeBeforeFocus(page, () => dialog.getByRole('button', { name: 'Type', exact: true }).click());
  await expect(menu(page)).toHaveCount(0);
  await expect(dialog.getByRole('combobox')).toBeVisible();
});

test('the menu of one of several selected items applies to all of them', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await rowOf(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] });
  await rowOf(page, 'a.txt').click({ button: 'right' });
  await expect(menu(page).getByRole('menuitem')).toHaveText([
    /^Download/,
    /^Share/,
    /^Details/,
    /^Copy/,
    /^Cut/,
    /^Copy to…/,
    /^Move to…/,
    /^Delete/,
  ]);
  await entry(page, 'Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => storage.names()).toEqual(['c.txt']);
});

test('Shift-F10 shows the menu of the row under the cursor, and the arrows move in it', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/': '', 'Album/inside.txt': 'x', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+F10');
  await expect(menu(page)).toHaveAccessibleName('Menu of Album');
  await expect(entry(page, 'Open')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(entry(page, 'Open in new tab')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'inside.txt')).toBeVisible();
});

test('next to the rows the menu is that of the folder, with Paste for copied items', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await rowOf(page, 'letter.txt').click({ button: 'right' });
  await entry(page, 'Copy').click();
  await rowOf(page, 'Album').dblclick();
  const empty = page.getByText('This folder is empty');
  await expect(empty).toBeVisible();
  await empty.click({ button: 'right' });
  await expect(menu(page)).toHaveAccessibleName('Menu of Album');
  await entry(page, 'Paste').click();
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
});

test('the address of an item is copied, and opens in a new tab', async ({ owner: page, storage, context }) => {
  await storage.put({ 'Album/': '', 'Album/inside.txt': 'x' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openFolder(page);
  await rowOf(page, 'Album').click({ button: 'right' });
  await entry(page, 'Copy link address').click();
  await expect(page.getByText('The link address is copied')).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(address).pathname).toBe('/browse/Server/Album');
  await rowOf(page, 'Album').click({ button: 'right' });
  const [tab] = await Promise.all([context.waitForEvent('page'), entry(page, 'Open in new tab').click()]);
  await expect(rowOf(tab, 'inside.txt')).toBeVisible();
});

test('a long press shows the menu at the bottom of the screen, and does not open the row @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  // Touch screens have larger controls, so the rows move.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await expect.poll(() => page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true);
  const box = await rowOf(page, 'Album').boundingBox();
  if (!box) throw new Error('the row is not in sight');
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await expect(menu(page)).toHaveAccessibleName('Menu of Album');
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(entry(page, 'Open')).toBeVisible();
  const sheet = await menu(page).boundingBox();
  const { height } = page.viewportSize() ?? { height: 0 };
  expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(height);
  await expectAccessible(page);
  await entry(page, 'Delete').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await devtools.detach();
});
