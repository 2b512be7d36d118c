import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { linkFolder, sftpInfo } from '../fixtures/storage.ts';
import { expect, signUp, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';

test('a stored password is in no page, no answer, no address, no log and no file', async ({ page, account, storage, sheaf }) => {
  const password = 'planted-7f3c9e21';
  const secret = 'entry-5be8d0aa-phrase';
  const answers: Promise<string>[] = [];
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('response', (response) => {
    // An event stream never ends; it contains only addresses of folders.
    if (response.headers()['content-type']?.startsWith('text/event-stream') === true) return;
    answers.push(response.text().catch(() => ''));
  });
  await signUp(page, { ...account, password: secret });
  const { userLinkId } = await linkFolder(page, 'Server', { ...sftpInfo(storage.server, storage.path), password });
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('link', { name: 'Server' })).toBeVisible();
  await page.goto(`/account/mysheaf?edit=${userLinkId}`);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel('Host')).toHaveValue(/127\.0\.0\.1/);
  await page.goto('/browse/Server');
  await expect(page.getByText('Cannot access Server.')).toBeVisible();
  const inPage = await page.evaluate(
    () => document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
  );
  const files = (await readdir(sheaf.dataDir, { withFileTypes: true })).filter((entry) => entry.isFile());
  const stored = await Promise.all(files.map(({ name }) => readFile(join(sheaf.dataDir, name), 'latin1')));
  expect(stored.length).toBeGreaterThan(0);
  const places = {
    page: inPage,
    answers: (await Promise.all(answers)).join(),
    addresses: addresses.join(),
    log: sheaf.log(),
    files: stored.join(),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.includes(password), `the link's password in: ${place}`).toBe(false);
    expect(text.includes(secret), `the account's password in: ${place}`).toBe(false);
  }
});

test('scripts cannot read the session cookie, and come from files of this origin only [SEC-03]', async ({ user: page }) => {
  const answer = await page.goto('/account/mysheaf');
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === 'sid')).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate(() => document.cookie)).toMatch(/\bsh=/);
  expect(await page.evaluate(() => document.cookie)).not.toMatch(/\bsid=/);
});

test('a stored page or picture opened inline runs no script and reaches no session', async ({ owner: page, storage }) => {
  const script = `<script>document.title = 'owned'; document.documentElement.dataset.owned = 'yes';</script>`;
  await storage.put({
    'page.html': `<!doctype html><title>quiet</title><p>Hello</p>${script}`,
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="document.documentElement.dataset.owned='yes'">${script}</svg>`,
  });
  await openFolder(page);
  for (const name of ['page.html', 'picture.svg']) {
    await rowOf(page, name).click();
    const download = page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Download' });
    const [saved] = await Promise.all([page.waitForEvent('download'), download.click()]);
    const address = new URL(saved.url());
    address.searchParams.set('inline', 'true');
    const answer = await page.request.get(address.href);
    expect(answer.headers()['x-content-type-options']).toBe('nosniff');
    const opened = await page.context().newPage();
    const isSaved = opened.waitForEvent('download', { timeout: 0 }).then(() => true);
    const isDownload = opened.goto(address.href).then(
      () => false,
      () => isSaved,
    );
    if (await isDownload) expect(answer.headers()['content-disposition']).toMatch(/^attachment/);
    else expect(await opened.locator(':root').getAttribute('data-owned')).toBeNull();
    await opened.close();
  }
});
