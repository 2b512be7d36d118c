import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { shareItem } from './shares/actions.ts';

const root = process.env['SHEAF_E2E_ROOT'] ?? join(import.meta.dirname, '../..');

/** Bytes, gzipped, of all scripts that a page loads until it is shown. */
async function scriptsOf(page: Page, address: string, shown: () => Promise<void>): Promise<number> {
  const paths = new Set<string>();
  page.on('response', (response) => response.request().resourceType() === 'script' && paths.add(new URL(response.url()).pathname));
  await page.goto(address);
  await shown();
  const scripts = await Promise.all([...paths].map((path) => readFile(join(root, 'apps/web/dist', path))));
  return scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
}

/** KiB measured, with some room for changes elsewhere: what grows belongs into a script of its own. docs/performance.md has the figures, and what is wanted. */
const [mostOfApp, mostOfShare] = [170, 140];

test('the home page and the page of a share load no more scripts than they need', async ({ owner: page, storage, browser, baseURL }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  const address = await shareItem(page, 'Server/letter.txt');
  const app = await scriptsOf(page, '/account/mysheaf', () => expect(page.getByRole('link', { name: 'Server' }).first()).toBeVisible());
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const guest = await context.newPage();
  const share = await scriptsOf(guest, address, () => expect(guest.getByRole('heading', { name: 'letter.txt' })).toBeVisible());
  await context.close();
  expect.soft(app / 1024).toBeLessThan(mostOfApp);
  expect.soft(share / 1024).toBeLessThan(mostOfShare);
});
