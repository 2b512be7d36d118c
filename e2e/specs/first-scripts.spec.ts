import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { shareItem } from './shares/actions.ts';

const root = process.env['SHEAF_E2E_ROOT'] ?? join(import.meta.dirname, '../..');

/** Total gzipped size of these scripts, in KiB. */
async function sizeOf(paths: ReadonlySet<string>): Promise<number> {
  const scripts = await Promise.all([...paths].map((path) => readFile(join(root, 'apps/web/dist', path))));
  return scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0) / 1024;
}

/** Records the paths of all scripts that the page loads from now on. */
function noteScripts(page: Page): ReadonlySet<string> {
  const paths = new Set<string>();
  page.on('response', (response) => response.request().resourceType() === 'script' && paths.add(new URL(response.url()).pathname));
  return paths;
}

/** Paths of the scripts loaded before this heading appeared. Users do not wait for later ones. */
async function scriptsBefore(page: Page, heading: string, open: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  await page.addInitScript((text) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('h1')?.textContent !== text) return;
      performance.mark('shown');
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, heading);
  await open();
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  const names = await page.evaluate(() => {
    const shown = performance.getEntriesByName('shown')[0]?.startTime ?? 0;
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return files.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= shown).map(({ name }) => new URL(name).pathname);
  });
  return new Set(names);
}

/**
 * Measured KiB, with some margin for unrelated changes. Move growing code into a separate script. docs/performance.md has the figures and targets: 170 KB
 * for the app and 90 KB for a share's page, which are 166 and 88 KiB.
 */
const [mostOfApp, mostOfShare, mostWithPreview, mostWithError] = [166, 88, 112, 118];

test('the home page and the page of a share load no more scripts than they need', async ({ owner: page, storage, browser, baseURL }) => {
  await storage.put({ 'Album/letter.txt': 'Dear reader' });
  const [folder, file] = [await shareItem(page, 'Server/Album'), await shareItem(page, 'Server/Album/letter.txt')];
  const protectedFolder = await shareItem(page, 'Server/Album', { password: 'tell no one' });
  const ofApp = noteScripts(page);
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'Server' }).first()).toBeVisible();
  expect.soft(await sizeOf(ofApp), 'the app').toBeLessThan(mostOfApp);
  for (const [address, heading] of [
    [folder, 'Album'],
    [file, 'letter.txt'],
    [protectedFolder, 'This link is protected.'],
    ['/s/never-was', 'Shared link'],
  ] as const) {
    const context = await browser.newContext({ baseURL: baseURL ?? '' });
    const guest = await context.newPage();
    const all = noteScripts(guest);
    const first = await scriptsBefore(guest, heading, () => guest.goto(address));
    expect(first.size, heading).toBeGreaterThan(3);
    // An error loads the error catalogue and the components that show it.
    const most = address === folder || address === file ? mostOfShare : mostWithError;
    expect.soft(await sizeOf(first), heading).toBeLessThan(most);
    if (address === file) {
      await expect(guest.getByText('Dear reader')).toBeVisible();
      expect.soft(await sizeOf(all), 'with a preview').toBeLessThan(mostWithPreview);
    }
    await context.close();
  }
});
