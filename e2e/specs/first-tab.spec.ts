import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';

/** Accessible name or text of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
  });

test('in a folder just loaded the first Tab is the way to the files, and their keys work from there', async ({ owner: page, storage }) => {
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader', 'notes.txt': 'words' });
  await openFolder(page);
  await expect(rowOf(page, 'notes.txt')).toBeVisible();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatch(/^Skip to the/);
  // Menu and tools are skipped by one key.
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toMatch(/^(Skip to the files|.*Server.*)$/);
  for (let tabs = 0; tabs < 2 && !(await page.getByRole('grid').evaluate((grid) => grid === document.activeElement)); tabs += 1) {
    if ((await focused(page)).startsWith('Skip')) await page.keyboard.press('Enter');
    else await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('grid')).toBeFocused();
  await page.keyboard.type('let');
  await page.keyboard.press('F2');
  await expect(page.getByLabel('New name')).toHaveValue('letter.txt');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/browse/Server/Album');
  await page.keyboard.press('Backspace');
  await expect(page).toHaveURL('/browse/Server');
});

test('every command of a folder and of the frame is reached by Tab, and each shows that it has the focus', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  const reached = new Set<string>();
  for (let tabs = 0; tabs < 60; tabs += 1) {
    await page.keyboard.press('Tab');
    const mark = await page.evaluate(() => {
      const { activeElement: one } = document;
      if (!one || one === document.body) return undefined;
      const { outlineStyle, boxShadow } = getComputedStyle(one);
      return {
        name: one.getAttribute('aria-label') ?? one.textContent,
        isShown: outlineStyle !== 'none' || boxShadow !== 'none',
        at: one.outerHTML.slice(0, 120),
      };
    });
    if (!mark) break;
    reached.add(mark.at);
    expect.soft(mark.isShown, `the focus is seen at ${mark.at}`).toBe(true);
  }
  const missed = await page.evaluate(
    (known) =>
      [...document.querySelectorAll<HTMLElement>('button, a[href], [role=grid]')]
        .filter(
          (one) =>
            one.checkVisibility({ visibilityProperty: true }) &&
            !one.matches(':disabled') &&
            !one.closest('[role=grid] *, [role=menu], [inert]'),
        )
        // One stop for a group of which the arrow keys choose.
        .filter((one) => one.tabIndex >= 0 && !known.includes(one.outerHTML.slice(0, 120)))
        .map((one) => one.outerHTML.slice(0, 120)),
    [...reached],
  );
  expect(missed).toEqual([]);
});
