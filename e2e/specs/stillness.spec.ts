import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';
import { shareItem } from './shares/actions.ts';

declare global {
  interface Window {
    /** Elements that moved without user input, and by how much. */
    shifts: string[];
  }
}

/** Records layout shifts of each page from its first frame on (Layout Instability API, which excludes shifts just after an input). */
const noteShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      // TypeScript's DOM types lack this entry.
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const what = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.outerHTML.slice(0, 80)} from ${from.x},${from.y} ${from.width}×${from.height} to ${to.x},${to.y} ${to.width}×${to.height}`;
        });
        window.shifts.push(`${entry.value.toFixed(5)} ${what.join('; ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** Expects that nothing has moved on this page, including in its last frame. */
async function expectStill(page: Page): Promise<void> {
  const shifts = await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return window.shifts;
  });
  expect.soft(shifts).toEqual([]);
}

test('nothing on the screen moves by itself while the home page, a folder, its info, a preview, the search and a share open @narrow', async ({
  owner: page,
  storage,
  browser,
  baseURL,
}) => {
  await storage.put({ 'Album/': '', 'Album/one.txt': 'one', 'letter.txt': 'Dear reader', 'notes.txt': 'words' });
  const address = await shareItem(page, 'Server/Album');
  await noteShifts(page);
  for (const [path, shown] of [
    ['/account/mysheaf', page.getByRole('link', { name: 'Server' }).first()],
    ['/links', page.getByRole('heading').first()],
    ['/account/mysheaf?catid=shares', page.getByText('Album').first()],
    ['/browse/Server/Album', rowOf(page, 'one.txt')],
    ['/browse/Server?preview=letter.txt', page.getByText('Dear reader')],
    ['/account/activity', page.getByRole('heading').first()],
  ] as const) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(shown).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectStill(page);
    });
  }
  await openFolder(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('letter');
  await expect(page.getByRole('dialog').getByText('letter.txt').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await rowOf(page, 'Album').dblclick();
  await expect(rowOf(page, 'one.txt')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectStill(page);
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectStill(page);

  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport: page.viewportSize() });
  const guest = await context.newPage();
  await noteShifts(guest);
  await guest.goto(address);
  await expect(guest.getByText('one.txt')).toBeVisible();
  await guest.waitForLoadState('networkidle');
  await expectStill(guest);
  await guest.getByText('one.txt').click();
  await expect(guest.getByRole('heading', { name: 'one.txt' })).toBeVisible();
  await guest.waitForLoadState('networkidle');
  await expectStill(guest);
  await context.close();
});
