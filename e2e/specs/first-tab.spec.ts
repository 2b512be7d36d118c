import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';

/** Accessible name or text of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
  });

test('from a page just loaded the first Tab leads past bar and menu, and the next ones to the links', async ({ owner: page }) => {
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

test('every command of a folder and of the frame is reached by Tab, and each shows that it has the focus', async ({
  owner: page,
  storage,
}) => {
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
      // In the list the row with the cursor shows it, by a frame of its own.
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
      // Of a group in which the arrow keys choose, and of the rows, one place is reached.
      .filter((one) => one.tabIndex >= 0 && one.dataset['reached'] === undefined && one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => !one.matches(':disabled, [inert] *'))
      .map((one) => one.outerHTML.slice(0, 200)),
  );
  expect(missed).toEqual([]);
});
