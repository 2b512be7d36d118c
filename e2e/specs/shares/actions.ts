import { type Locator, type Page, expect } from '@playwright/test';
import { call } from '../../fixtures/call.ts';
import { type LinkCalls, watchCalls } from '../../fixtures/link-calls.ts';
import type { Storage } from '../../fixtures/storage.ts';
import { rowOf } from '../browse/actions.ts';

/** Intercepts the calls about shares. */
export const watchShareCalls = (page: Page): Promise<LinkCalls> => watchCalls(page, /\/rest\/weblink\//);

/** Time of the page's clock, epoch seconds, in specs that check dates. */
export const now = Date.parse('2026-11-21T12:00:00+01:00') / 1000;

/** A share as the server lists it. */
export const share = (weblinkId: string, name: string, more: object = {}) => ({
  weblinkId,
  name,
  nbrVisits: 0,
  createdTimeStamp: now - 3600,
  expirationSeconds: 0,
  isFolder: false,
  hasPassword: false,
  sharelinkurl: `http://sheaf.example/s/${weblinkId}`,
  linkUri: `/l1/${name}`,
  ...more,
});

/** The rows of the list of shares, without the head. */
export const shareRows = (page: Page): Locator => page.getByRole('table', { name: 'Shared links' }).locator('[role=row][aria-label]');

/** Opens a share's row menu and chooses from it. */
export async function choose(page: Page, name: string, item: 'Settings' | 'Delete'): Promise<void> {
  await page.getByRole('button', { name: `Menu of ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Chooses Share in the menu of a row of the visible folder. */
export async function askToShare(page: Page, name: string): Promise<void> {
  await rowOf(page, name).hover();
  await page.getByRole('button', { name: `Menu of ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
}

/** Shares an item of the link "Server" over the API; returns the path of its public page. */
export async function shareItem(page: Page, path: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { item } = await call<{ item: { linkUri: string } }>(page, '/rest/content/resolve', { path });
  const { sharelinkurl } = await call<{ sharelinkurl: string }>(page, '/rest/weblink/create', { linkUri: item.linkUri, ...more });
  return new URL(sharelinkurl).pathname;
}

/** Shares three items of the link "Server", oldest first, and returns their public pages; the folder has a password and an expiration. */
export async function shareThree(page: Page, storage: Storage): Promise<readonly [beta: string, alpha: string, gotland: string]> {
  await storage.put({ 'beta.txt': 'beta', 'Alpha.pdf': 'alpha', 'Gotland/dusk.jpg': 'dusk' });
  const beta = await shareItem(page, 'Server/beta.txt');
  await nextSecond();
  const alpha = await shareItem(page, 'Server/Alpha.pdf', { expirationSeconds: '86400' });
  await nextSecond();
  const gotland = await shareItem(page, 'Server/Gotland', { expirationSeconds: '604800', password: 'sea' });
  return [beta, alpha, gotland];
}

/** Waits for the next second: shares are ordered by their second of creation. */
async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second);
}

/** Number of visits of a share, as shown to its owner. */
export async function visitsOf(page: Page, pagePath: string): Promise<number> {
  const shares = await call<{ weblinkId: string; nbrVisits: number }[]>(page, '/rest/weblink/get_weblinks', {});
  const found = shares.find(({ weblinkId }) => pagePath.endsWith(weblinkId));
  expect(found).toBeDefined();
  return found?.nbrVisits ?? -1;
}
