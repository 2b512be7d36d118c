import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { deleteLink } from '@sheaf/contract';
import { run } from '@sheaf/testbed';
import { docxOf, zipOf } from '../../fixtures/pictures.ts';
import type { Sheaf } from '../../fixtures/sheaf.ts';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { call, expect, expectAccessible, test } from '../../fixtures/test.ts';
import { savedFrom } from '../browse/actions.ts';
import { shareItem, visitsOf } from './actions.ts';

/** A new browser without cookies. */
const strangers: BrowserContext[] = [];
async function stranger(browser: Browser, page: Page, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: page.viewportSize(), acceptDownloads: true });
  strangers.push(context);
  return context.newPage();
}
test.afterEach(async () => {
  await Promise.all(strangers.splice(0).map((context) => context.close()));
});

/** Expires a share in the database, because the shortest offered term is a day. */
function expire({ dataDir }: Sheaf, pagePath: string): void {
  using database = new DatabaseSync(join(dataDir, 'sheaf.db'), { timeout: 5000 });
  const { changes } = database.prepare('update weblink set "expiresAt" = 1 where id = ?').run(pagePath.split('/').at(-1) ?? '');
  expect(changes).toBe(1);
}

const row = (page: Page, name: string): Locator => page.getByRole('table', { name: 'Items' }).getByRole('row', { name, exact: true });
const rows = (page: Page): Locator => page.getByRole('table', { name: 'Items' }).locator('[role=row][aria-label]');
const gone = async (page: Page): Promise<void> => {
  await expect(page.getByText('This link is not available.')).toBeVisible();
  await expect(page.getByText('It may have expired or been removed.')).toBeVisible();
};

test('a visitor opens a shared file, sees it, and gets exactly its bytes @narrow [RT-044]', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader', 'secret.txt': 'not shared' });
  const address = await shareItem(page, 'Server/letter.txt');
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(address);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('letter.txt');
  await expect(guest.getByText('11 bytes')).toBeVisible();
  await expect(guest.getByRole('region', { name: /^Contents of/ })).toHaveText('Dear reader');
  await expect(guest.getByText('Shared with Sheaf')).toBeVisible();
  await expect(guest.getByRole('banner')).toHaveCount(0);
  await expect(guest.getByRole('link', { name: 'SIGN IN' })).toHaveCount(0);
  await expectAccessible(guest);
  const saved = await savedFrom(guest, () => guest.getByRole('link', { name: 'Download' }).click());
  expect(saved.toString()).toBe('Dear reader');
  expect(await guest.evaluate(() => document.cookie)).not.toContain('sid');
});

test('a shared folder is browsed, each of its files opens and downloads, and it cannot be left @narrow', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  await storage.put({
    'Trip/a.txt': 'first',
    'Trip/b.txt': 'second',
    'Trip/Days, 100% #1/c.txt': 'third',
    'Trip 2/other.txt': 'a sibling',
  });
  const address = await shareItem(page, 'Server/Trip');
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(address);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Trip');
  await expect(guest.getByText('3 items')).toBeVisible();
  await expect(rows(guest)).toHaveCount(3);
  const middleOf = (part: Locator): Promise<number> =>
    part.evaluate((element) => element.getBoundingClientRect().top + element.getBoundingClientRect().height / 2);
  const [ofRow, ofDownload] = [
    await middleOf(row(guest, 'a.txt')),
    await middleOf(row(guest, 'a.txt').getByRole('link', { name: 'Download' })),
  ];
  expect(Math.abs(ofRow - ofDownload)).toBeLessThan(3);
  await expectAccessible(guest);
  await row(guest, 'a.txt').getByRole('link', { name: 'a.txt', exact: true }).click();
  await expect(guest).toHaveURL(`${address}?file=a.txt`);
  await expect(guest.getByRole('region', { name: /^Contents of/ })).toHaveText('first');
  await guest.keyboard.press('ArrowRight');
  await expect(guest.getByRole('region', { name: /^Contents of/ })).toHaveText('second');
  await guest.reload();
  await expect(guest.getByRole('region', { name: /^Contents of/ })).toHaveText('second');
  await guest.keyboard.press('Escape');
  await row(guest, 'Days, 100% #1').getByRole('link', { name: 'Days, 100% #1', exact: true }).click();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Days, 100% #1');
  await guest.reload();
  const saved = await savedFrom(guest, () => guest.getByRole('link', { name: 'Download c.txt' }).click());
  expect(saved.toString()).toBe('third');
  await guest.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Trip' }).click();
  await expect(row(guest, 'a.txt')).toBeVisible();
  for (const way of ['%2e%2e', '..%2f', '%2e%2e%2fTrip%202', '%5c..', 'a.txt%2f..%2f..']) {
    await guest.goto(`${address}/${way}`);
    await expect(guest.getByText(/cannot be shown|not available|no page at this address/)).toBeVisible();
    await expect(guest.getByText('other.txt')).toHaveCount(0);
  }
});

test('a whole folder is downloaded as a zip with all its files', async ({ owner: page, storage, browser, sheaf }, info) => {
  await storage.put({ 'Trip/a.txt': 'first', 'Trip/Ä folder/b.txt': 'second' });
  const address = await shareItem(page, 'Server/Trip');
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(address);
  const saved = await savedFrom(guest, () => guest.getByRole('link', { name: 'Download all' }).click());
  const folder = info.outputPath('unpacked');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'all.zip'), saved);
  await run('python3', [
    '-c',
    'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])',
    join(folder, 'all.zip'),
    folder,
  ]);
  const found = await Promise.all(['Trip/a.txt', 'Trip/Ä folder/b.txt'].map((path) => readFile(join(folder, path), 'utf8')));
  expect(found).toEqual(['first', 'second']);
});

test('a password is required before anything is shown, and a visit counts once it is right [SHR-58] [SHR-60] @narrow', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  await storage.put({ 'Trip/a.txt': 'first' });
  const address = await shareItem(page, 'Server/Trip', { password: 'tell no one' });
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(address);
  await expect(guest.getByRole('heading', { name: 'This link is protected.' })).toBeVisible();
  await expect(guest.getByText('Enter the password.')).toBeVisible();
  await expect(guest.getByText('Trip')).toHaveCount(0);
  const password = guest.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  await password.fill('guess');
  await password.press('Enter');
  await expect(guest.getByText('That password is not correct.')).toBeVisible();
  await expectAccessible(guest);
  expect(await visitsOf(page, address)).toBe(0);
  await password.fill('tell no one');
  await guest.getByRole('button', { name: 'Open' }).click();
  await expect(row(guest, 'a.txt')).toBeVisible();
  expect(guest.url()).not.toContain('tell');
  await expect.poll(() => visitsOf(page, address)).toBe(1);
  await row(guest, 'a.txt').getByRole('link', { name: 'a.txt', exact: true }).click();
  await expect(guest.getByRole('region', { name: /^Contents of/ })).toHaveText('first');
  await guest.goBack();
  await expect(row(guest, 'a.txt')).toBeVisible();
  expect(await visitsOf(page, address)).toBe(1);
});

test('expired, deleted, unlinked and unknown shares look alike [SHR-59]', async ({ owner: page, storage, browser, sheaf }) => {
  await storage.put({ 'a.txt': 'first', 'b.txt': 'second' });
  const expired = await shareItem(page, 'Server/a.txt', { expirationSeconds: '86400' });
  const removed = await shareItem(page, 'Server/b.txt');
  const { userLinkId } = await linkFolder(page, 'Other', sftpInfo(storage.server, storage.path));
  const unlinked = await shareItem(page, 'Other/b.txt', { password: 'tell no one' });
  await call(page, deleteLink.path, { userLinkId });
  await page.goto('/shared');
  await page.getByRole('button', { name: 'Menu of b.txt' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('row', { name: 'b.txt' })).toHaveCount(0);
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(expired);
  await expect(guest.getByText('This link is not available.')).toHaveCount(0);
  expire(sheaf, expired);
  for (const address of [expired, removed, unlinked, '/s/never-was', '/s/g/never-was']) {
    await guest.goto(address);
    await gone(guest);
    await expect(guest.getByText(/\.txt/)).toHaveCount(0);
  }
  await expectAccessible(guest);
});

test('a folder is shown as pictures under /s/g, and links lead between both views @narrow [RT-045]', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  await storage.put({ 'Trip/a.txt': 'first', 'Trip/Days/b.txt': 'second' });
  const address = await shareItem(page, 'Server/Trip');
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(address.replace('/s/', '/s/g/'));
  const pictures = guest.getByRole('list', { name: 'Items' });
  await expect(pictures.getByRole('link')).toHaveText(['Days', 'a.txt']);
  await expectAccessible(guest);
  await pictures.getByRole('link', { name: 'Days' }).click();
  await expect(pictures.getByRole('link')).toHaveText(['b.txt']);
  await guest.getByRole('link', { name: 'List', exact: true }).click();
  await expect(guest).toHaveURL(`${address}/Days`);
  await expect(rows(guest)).toHaveCount(1);
  await guest.getByRole('link', { name: 'Gallery', exact: true }).click();
  await expect(guest).toHaveURL(`${address.replace('/s/', '/s/g/')}/Days`);
});

test("a long folder loads 25 rows at a time, in the visitor's order", async ({ owner: page, storage, browser, sheaf }) => {
  const names = Array.from({ length: 120 }, (_, index) => `file ${String(index).padStart(3, '0')}.txt`);
  await storage.put(Object.fromEntries(names.map((name) => [`Trip/${name}`, name])));
  const address = await shareItem(page, 'Server/Trip');
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(address);
  await expect(rows(guest)).toHaveCount(25);
  await guest.mouse.wheel(0, 5000);
  await expect(rows(guest)).toHaveCount(50);
  for (let step = 0; step < 4; step++) await guest.mouse.wheel(0, 20_000);
  await expect
    .poll(async () => {
      await guest.mouse.wheel(0, 20_000);
      return rows(guest).count();
    })
    .toBe(120);
  await guest.evaluate(() => window.scrollTo(0, 0));
  await guest.getByRole('link', { name: 'Name' }).click();
  await expect(guest).toHaveURL(`${address}?sort=name&order=desc`);
  await expect(rows(guest).first()).toHaveAccessibleName('file 119.txt');
});

test('shared content runs no scripts: a page is shown as text, a drawing as a picture', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  const evil = "document.body.innerHTML='run';fetch('/rest/run')";
  await storage.put({
    'Trip/page.html': `<script>${evil}</script><h1>hello</h1>`,
    'Trip/drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${evil}"><script>${evil}</script></svg>`,
  });
  const address = await shareItem(page, 'Server/Trip');
  const guest = await stranger(browser, page, sheaf.url);
  const asked: string[] = [];
  guest.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await guest.goto(`${address}?file=page.html`);
  await expect(guest.getByRole('region', { name: /^Contents of/ })).toContainText('<h1>hello</h1>');
  await guest.goto(`${address}?file=drawing.svg`);
  await expect(guest.getByRole('img', { name: 'drawing.svg' })).toBeVisible();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('drawing.svg');
  expect(asked).not.toContain('/rest/run');
});

test('a table, Markdown, a document and the contents of an archive are shown formatted', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  await storage.put({ 'Trip/costs.csv': 'what,price\nferry,12', 'Trip/notes.md': '# Gotland\n\nin *June*', 'Trip/fake.zip': 'PK' });
  await writeFile(join(storage.path, 'Trip/all.zip'), zipOf(['photos/', 'photos/ferry.jpg']));
  await writeFile(join(storage.path, 'Trip/plan.docx'), docxOf(['Take the ferry.']));
  const address = await shareItem(page, 'Server/Trip');
  const guest = await stranger(browser, page, sheaf.url);
  await guest.goto(`${address}?file=costs.csv`);
  await expect(guest.getByRole('cell', { name: 'ferry' })).toBeVisible();
  await expectAccessible(guest);
  await guest.goto(`${address}?file=notes.md`);
  await expect(guest.getByRole('heading', { name: 'Gotland' })).toBeVisible();
  await guest.goto(`${address}?file=all.zip`);
  await expect(guest.getByRole('listitem').filter({ hasText: 'photos/ferry.jpg' })).toBeVisible();
  await guest.goto(`${address}?file=plan.docx`);
  await expect(guest.getByText('Take the ferry.')).toBeVisible();
  await expectAccessible(guest);
  await guest.goto(`${address}?file=fake.zip`);
  await expect(guest.getByText('There is no preview of this file')).toBeVisible();
  await expectAccessible(guest);
});
