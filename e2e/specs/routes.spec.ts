import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { type Route, completeLinkAuth, limits, routes } from '@sheaf/contract';
import { hold } from '../fixtures/held.ts';
import { startSheaf } from '../fixtures/sheaf.ts';
import { expect, expectAccessible, test } from '../fixtures/test.ts';
import { makeOrg } from './orgs/actions.ts';

/** Example address of a route's pattern. */
const addressOf = (pattern: string): string => pattern.replace('*', 'Some%20link/folder').replace(/:\w+\??/, 'sftp');
const chunk = /\/assets\/[^/]*Page[^/]*\.js/;

/** Expects one level-1 heading, a title, one main landmark and, with the app's frame, a link that skips it. */
async function expectOutline(page: Page, where: string): Promise<void> {
  await expect(page.getByRole('main'), where).toHaveCount(1);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading, where).toHaveCount(1);
  await expect(heading, where).toHaveText(/\w{3}/);
  await expect(page, where).toHaveTitle(/\w{3}/);
  if ((await page.getByRole('banner').count()) === 0) return;
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip, where).toHaveCount(1);
  const target = await skip.getAttribute('href');
  expect(await page.locator(target ?? '').evaluate((element) => element.tagName), where).toBe('MAIN');
}

test('every address of the route map shows its own page to a visitor and to a user', async ({ page, account }) => {
  test.slow();
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) await page.request.post('/rest/auth/email/signup', { form: { ...account } });
    const shown: readonly Route[] = routes.filter(({ name }) => name !== 'logout' && name !== 'downloadDesktop');
    for (const { name, pattern } of shown.filter((route) => isSignedIn || route.guarded !== true)) {
      // The page asks it where to go on, which would take it away while it is looked at.
      const held = name === 'oauth' ? await hold(page, completeLinkAuth.path.split('/').at(-1) ?? '') : undefined;
      const answer = await page.goto(addressOf(pattern));
      // The share does not exist; that has a page too.
      expect(answer?.status(), pattern).toBe(pattern.startsWith('/s/') ? 404 : 200);
      await expect(page.locator('main'), pattern).toContainText(/\w{3}/);
      await expect(page.getByText('There is no page at this address'), name).toHaveCount(0);
      await expect(page.getByText('Something went wrong'), name).toHaveCount(0);
      await expectOutline(page, `${name} ${isSignedIn ? 'signed in' : 'signed out'}`);
      held?.release();
      // The redirect would abort the navigation to the next page.
      if (held) await page.waitForURL((url) => url.pathname !== '/oauth');
    }
  }
});

test('a page with contents, a dialog or a preview also has one heading of level 1', async ({ owner: page, storage }) => {
  await storage.put({ 'Photos/letter.txt': 'Dear reader' });
  for (const category of ['links', 'shares', 'spaces', 'encryption', 'org']) {
    await page.goto(`/account/mysheaf?catid=${category}`);
    await expectOutline(page, category);
  }
  const { orgOid } = await makeOrg(page);
  for (const address of [
    '/account/mysheaf?catid=org',
    `/org/members?orgOid=${orgOid}`,
    `/org/directory?orgOid=${orgOid}`,
    `/org/subscription?orgOid=${orgOid}`,
    `/org/billing?orgOid=${orgOid}`,
    '/links/gopher',
    '/links/canopy',
    '/nowhere',
    '/upgrade#trialScreen',
    '/account/billing#applyPromoScreen',
    '/browse/Server/Photos',
    '/account/mysheaf?createDialog=true',
  ]) {
    await page.goto(address);
    await expectOutline(page, address);
  }
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Server' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Server' })).toBeVisible();
  expect(await page.locator('h1').count()).toBe(1);
  await page.goto('/browse/Server/Photos');
  await page.getByRole('row', { name: 'letter.txt' }).dblclick();
  await expect(page.getByRole('dialog', { name: 'letter.txt' })).toBeVisible();
  expect(await page.locator('h1').count()).toBe(1);
});

test('an address outside the map says so, with status 404, and leads on @narrow [RT-003]', async ({ page }) => {
  for (const address of ['/nowhere', '/about/us', '/About', '/s/%ff']) {
    expect((await page.goto(address))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is no page at this address' })).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL('/');
});

test('the first pattern that matches wins [RT-002]', async ({ page }) => {
  for (const [address, weblinkId] of [
    ['/s/g/x', 'x'],
    ['/s/g', 'g'],
  ] as const) {
    const [opened] = await Promise.all([page.waitForRequest(/\/rest\/weblink\/open$/), page.goto(address)]);
    expect(new URLSearchParams(opened.postData() ?? '').get('weblinkId'), address).toBe(weblinkId);
  }
});

const pages = [
  ['/about', '[RT-004]', /Sheaf/],
  ['/careers', '[RT-005]', 'There are no open positions at the moment.'],
  ['/forum', '[RT-006]', 'A link needs attention. What now?'],
  ['/forum.html', '[RT-007]', 'A link needs attention. What now?'],
  ['/linkmarketplace', '[RT-013]', 'SFTP'],
] as const;
for (const [address, id, text] of pages) {
  test(`${address} opens its page without a session ${id}`, async ({ page }) => {
    await page.goto(address);
    await expect(page.locator('main')).toContainText(text);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  });
}

test('the marketplace is searched, and choosing leads a visitor through signing in to the dialog [RT-013]', async ({ page, account }) => {
  await page.request.post('/rest/auth/email/signup', { form: { ...account } });
  await page.context().clearCookies();
  await page.goto('/linkmarketplace');
  await page.getByRole('searchbox').fill('webd');
  const found = page.locator('main').getByRole('listitem');
  await expect(found).toHaveText([/WebDAV/]);
  await found.getByRole('link').click();
  await expect(page).toHaveURL(/\/login\/start\?/);
  await page.getByRole('link', { name: 'Email' }).click();
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/links\/webdav/i);
});

test('/browse lists every link as a folder, and /browse/{link} what is in it [RT-008] [RT-009]', async ({ owner: page, storage }) => {
  await storage.put({ 'Photos/2026/beach.jpg': 'x' });
  await page.goto('/browse');
  await page.locator('main').getByRole('link', { name: 'Server' }).click();
  await expect(page).toHaveURL('/browse/Server');
  await page.goto('/browse/Server/Photos/2026');
  await expect(page.getByRole('row', { name: 'beach.jpg' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')).toContainText([
    'My links',
    'Server',
    'Photos',
    '2026',
  ]);
});

const forms = [
  ['/link/auth/ftp', 'Link FTP', '[RT-022]'],
  ['/link/auth/ofs', 'Link Sheaf File Server', '[RT-024]'],
  ['/link/auth/sheafgateway', 'Link Sheaf Gateway', '[RT-025]'],
  ['/link/auth/sftp', 'Link SFTP', '[RT-027]'],
  ['/link/auth/webdav', 'Link WebDAV', '[RT-028]'],
] as const;
for (const [address, title, id] of forms) {
  test(`${address} opens its form as a page ${id}`, async ({ user: page }) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
  });
}

test('start page, about and careers are full-width [RT-097]', async ({ page }) => {
  for (const address of ['/', '/about', '/careers']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const main = page.locator('main');
    expect(await main.evaluate((element) => [element.getBoundingClientRect().left, element.clientWidth]), address).toEqual([0, 1280]);
    expect(await main.evaluate((element) => getComputedStyle(element).padding), address).toBe('0px');
  }
});

const fullScreen = [
  ['/login/start', '[RT-101]'],
  ['/login/declined', '[RT-101]'],
  ['/auth/loginsuccess', '[RT-102]'],
  ['/auth/signup', '[RT-103]'],
  ['/signup/start', '[RT-104]'],
  ['/welcome', '[RT-105]'],
  ['/logout', '[RT-106]'],
] as const;
for (const [address, id] of fullScreen) {
  test(`${address} shows neither menu bar nor side menu ${id}`, async ({ user: page }) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
  });
}

test('a loading screen reads "Loading...", and the page is called Sheaf [RT-109] [RT-110]', async ({ page }) => {
  const arrived = Promise.withResolvers<void>();
  await page.route(chunk, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.goto('/forum', { waitUntil: 'commit' });
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page).toHaveTitle('Sheaf');
  arrived.resolve();
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

const isWaiting = async (page: Page): Promise<void> => expect(page.getByText('Loading...')).toBeVisible();

test('a screen whose script cannot be loaded says so in its place and retries by itself [RT-111]', async ({ user: page }) => {
  await page.goto('/about');
  await page.getByRole('button', { name: 'Side menu' }).click();
  await page.route(chunk, (route) => route.abort());
  await page.getByRole('link', { name: 'Forum' }).first().click();
  await expect(page.getByRole('alert')).toContainText('Part of the page could not be loaded. Please refresh the page.');
  // The frame stays, and with it running uploads.
  await expect(page.getByRole('banner')).toBeVisible();
  await expectAccessible(page);
  await page.unroute(chunk);
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible();
});

test('offline, a screen says so in its place, and loads at once when the browser is online again', async ({ user: page, context }) => {
  await page.goto('/about');
  await page.getByRole('button', { name: 'Side menu' }).click();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Forum' }).first().click();
  await expect(page.getByRole('alert')).toContainText('Part of the page could not be loaded.');
  await expect(page.getByRole('banner')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true);
});

test('a script that has not loaded after 120 s counts as lost [RT-112]', async ({ page }) => {
  await page.clock.install();
  await page.goto('/about');
  await page.route(chunk, () => undefined);
  await page.getByRole('link', { name: 'Forum' }).click();
  await page.clock.runFor(1000);
  await isWaiting(page);
  await page.clock.runFor(limits.chunkTimeout - 3000);
  await isWaiting(page);
  await page.clock.runFor(5000);
  await expect(page.getByRole('alert')).toContainText('Part of the page could not be loaded.');
});

test('navigation that fails asks to refresh the page [RT-108]', async ({ page }) => {
  // Serves another script of the build instead of the page's own.
  const other = /src="(\/assets\/[^"]+\.js)"/.exec(await (await page.request.get('/')).text())?.[1] ?? '';
  await page.route(chunk, (route) => route.continue({ url: new URL(other, route.request().url()).href }));
  await page.goto('/forum');
  await expect(page.getByRole('alert')).toContainText('Something went wrong. Please try refreshing the page.');
});

test('without an answer the page says that the server cannot be reached [ERR-38]', async ({ user: page }) => {
  await page.route('/rest/ws/all_links', (route) => route.abort());
  await page.goto('/account/mysheaf');
  await expect(page.getByText('Cannot connect to server. Please check your network connection and try again.')).toBeVisible();
  await expectAccessible(page);
});

test('an error code can have several texts, and the messageCode selects the one shown [ERR-02]', async ({ user: page }) => {
  const told = async (name: string, button: string): Promise<object> => {
    // Not the picture or the script of that name, which may load late.
    const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().includes(name));
    await page.getByRole('button', { name: button, exact: true }).click();
    return (await (await answered).json()) as object;
  };
  await page.goto('/links/sftp?mode=create');
  await page.getByLabel('Host').fill('storage.example');
  await page.getByRole('link', { name: 'Login with keyfile' }).click();
  await page.getByLabel('User').fill('mara');
  await page.getByLabel('Key file contents').fill('ssh-ed25519 AAAA');
  expect(await told('sftp', 'Link')).toMatchObject({ errorCode: 107, messageCode: 'INVALID_KEY_FILE' });
  await expect(page.getByText('The key file contents could not be read. Please paste a private key in OpenSSH or PEM form.')).toBeVisible();
  await page.goto('/links/sheafgatewaycloudstorage');
  await page.getByLabel('Server').fill('gateway.example');
  await page.getByLabel('Connection JSON').fill('{"id":"1"}');
  expect(await told('gateway', 'Link')).toMatchObject({ errorCode: 107, messageCode: 'NO_SCHEMA_SUPPLIED' });
  await expect(page.getByText('No schema supplied in the server address.')).toBeVisible();
});

test('an unexpected server error reads as an unknown error with its number [ERR-36]', async ({ page, account }) => {
  const sheaf = await startSheaf();
  try {
    await page.goto(sheaf.url);
    expect((await page.request.post(`${sheaf.url}/rest/auth/email/signup`, { form: { ...account } })).ok()).toBe(true);
    const database = new DatabaseSync(join(sheaf.dataDir, 'sheaf.db'), { timeout: 30_000 });
    database.exec('ALTER TABLE link RENAME TO lost');
    database.close();
    await page.goto(`${sheaf.url}/account/mysheaf`);
    await expect(page.getByText('An unknown error occurred. [799]')).toBeVisible();
  } finally {
    await sheaf.stop();
  }
});

test('the user sees the text that the server sends with its messageCode, for any code [ERR-01] [ERR-06] [ERR-08] [ERR-25]', async ({
  user: page,
}) => {
  const answers = [
    { errorCode: 110, messageCode: 'LISTING_PAUSED', message: 'The server reported a problem: LISTING_PAUSED.' },
    { errorCode: 114, messageCode: 'SERVER_CODE', message: 'The server reported a problem: SERVER_CODE.' },
    { errorCode: 427, messageCode: 'DUPLICATE_BACKUP', message: 'You already have a backup named Photos. Please enter a different name.' },
  ];
  for (const json of answers) {
    await page.route('/rest/ws/all_links', (route) => route.fulfill({ status: 400, json }));
    await page.goto('/account/mysheaf');
    await expect(page.getByText(json.message)).toBeVisible();
    await page.unroute('/rest/ws/all_links');
  }
});
