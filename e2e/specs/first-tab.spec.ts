import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';
import { shareItem } from './shares/actions.ts';

/** Accessible name or text of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
  });

test('on a page just loaded the first Tab leads past bar and menu, and the next ones to the links', async ({ owner: page }) => {
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'Server' }).first()).toBeVisible();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Link storage');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Server' }).first()).toBeFocused();
});

test('in a folder just loaded every key works before the first Tab', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader', 'notes.txt': 'words' });
  await openFolder(page);
  await expect(page.getByRole('grid')).toBeFocused();
  await page.keyboard.type('let');
  await page.keyboard.press('F2');
  await expect(page.getByLabel('New name')).toHaveValue('letter.txt');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.keyboard.press('Control+a');
  await expect(rowOf(page, 'notes.txt')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/browse/Server/Album');
  await page.keyboard.press('Backspace');
  await expect(page).toHaveURL('/browse/Server');
  await expect(page.getByRole('grid')).toBeFocused();
});

test('every command of a folder and of the frame is reached by Tab, and each shows its focus', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await expect(page.getByRole('grid')).toBeFocused();
  const unseen: string[] = [];
  // From the list to the end of the page, and from its beginning back to the list.
  for (let tabs = 0; tabs < 80; tabs += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      if (!(one instanceof HTMLElement) || one === document.body) return 'outside';
      if (one.dataset['reached'] !== undefined) return 'again';
      one.dataset['reached'] = '';
      // In the list, the row with the cursor shows the focus by its own frame.
      const row = document.getElementById(one.getAttribute('aria-activedescendant') ?? '');
      const { outlineStyle, boxShadow } = row ? getComputedStyle(row, '::before') : getComputedStyle(one);
      return outlineStyle === 'none' && boxShadow === 'none' ? one.outerHTML.slice(0, 200) : 'seen';
    });
    if (at === 'again') break;
    if (at !== 'outside' && at !== 'seen') unseen.push(at);
  }
  expect.soft(unseen).toEqual([]);
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], [role=grid]')]
      // A group with arrow keys, such as the rows, is one tab stop.
      .filter((one) => one.tabIndex >= 0 && one.dataset['reached'] === undefined && one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => !one.matches(':disabled, [inert] *'))
      .map((one) => one.outerHTML.slice(0, 200)),
  );
  expect(missed).toEqual([]);
});

test("on a share's page just loaded the keyboard reaches everything in order, and moves through its files", async ({
  owner: page,
  storage,
  browser,
  baseURL,
}) => {
  await storage.put({ 'Album/Days/': '', 'Album/one.txt': 'one', 'Album/two.txt': 'two' });
  const address = await shareItem(page, 'Server/Album');
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const guest = await context.newPage();
  await guest.goto(address);
  await expect(guest.getByRole('row', { name: 'two.txt' })).toBeVisible();
  for (const name of ['List', 'Gallery', 'Download all', 'Name', 'Size', 'Modified', 'Days', 'Download Days', 'one.txt']) {
    await guest.keyboard.press('Tab');
    expect(await focused(guest)).toBe(name);
    // The link of a row shows the focus around the whole row.
    const outlines = await guest.evaluate(() =>
      [undefined, '::after'].map((part) => getComputedStyle(document.activeElement ?? document.body, part).outlineStyle),
    );
    expect(outlines, name).toContain('solid');
  }
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('one.txt');
  await guest.keyboard.press('ArrowRight');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('two.txt');
  await guest.keyboard.press('Escape');
  await expect(guest.getByRole('row', { name: 'two.txt' })).toBeVisible();
  await context.close();
});
