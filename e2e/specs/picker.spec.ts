import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type HandoffAction, createAuthCode, handoffStatus, makeToken, startHandoff } from '@sheaf/contract';
import { call, expect, expectAccessible, test } from '../fixtures/test.ts';

/** Requests a folder with the token of a command-line client, as `sheaf sync` does. */
async function ask(page: Page, action: HandoffAction, more: Readonly<Record<string, string>> = {}) {
  const { authCode } = await call<{ authCode: string }>(page, createAuthCode.path, { name: 'Laptop' });
  const { token } = await call<{ token: string }>(page, makeToken.path, { authCode });
  const headers = { authorization: `Bearer ${token}` };
  const base = new URL((await page.request.get('/readyz')).url()).origin;
  const started = await fetch(base + startHandoff.path, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ action, name: 'Laptop', ...more }),
  });
  const { processToken, url } = ((await started.json()) as { data: { processToken: string; url: string } }).data;
  return {
    url,
    processToken,
    async status(): Promise<Record<string, string>> {
      const answer = await fetch(`${base}${handoffStatus.path}?processToken=${processToken}`, { headers });
      return ((await answer.json()) as { data: Record<string, string> }).data;
    },
  };
}

const okay = (page: Page) => page.getByRole('button', { name: 'Okay' });
const back = (page: Page) => page.getByRole('button', { name: 'BACK' });
const folder = (page: Page, name: string) => page.locator('main').getByRole('button', { name: new RegExp(`^${name}`) });
/** Records the page's calls to that path from now on. */
function calls(page: Page, path: string): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(path)) seen.push(request.postData() ?? '');
  });
  return seen;
}

test('a folder is selected on the way down, created in place, and handed to the program @narrow [PCK-02] [PCK-03] [PCK-04] [PCK-05] [PCK-07] [PCK-08] [PCK-13] [PCK-14] [PCK-31] [BRW-01] [BRW-02]', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'Backups/': '', 'a.txt': 'a' });
  const { url, status } = await ask(page, 'sync');
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Select Folder' })).toBeVisible();
  await expect(page.getByText('Choose the folder to sync your external folder with.')).toBeVisible();
  await expect(page.getByText('SELECT FOLDER', { exact: true })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveCount(0);
  await expect(okay(page)).toBeDisabled();
  await expect(back(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Add folder' })).toBeDisabled();
  await expectAccessible(page);
  await folder(page, 'Server').click();
  await expect(okay(page)).toBeEnabled();
  await expect(page.getByRole('list', { name: 'Folders' }).getByRole('listitem')).toHaveText(['Backups']);
  await folder(page, 'Backups').click();
  await expect(page.getByText('This folder is empty.')).toBeVisible();
  await back(page).click();
  await expect(folder(page, 'Backups')).toBeVisible();
  await page.getByRole('button', { name: 'Add folder' }).click();
  await page.getByLabel('New name').fill('Laptop copy');
  await page.getByLabel('New name').press('Enter');
  await expect(page.getByRole('list', { name: 'Folders' }).getByRole('listitem')).toHaveText(['Backups', 'Laptop copy']);
  await expectAccessible(page);
  await folder(page, 'Laptop copy').click();
  await expect(page.getByText('This folder is empty.')).toBeVisible();
  await okay(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expectAccessible(page);
  const { state, destinationPath, linkUri } = await status();
  expect([state, destinationPath]).toEqual(['completed', 'Server/Laptop copy']);
  expect(linkUri).toMatch(/\/Laptop%20copy$/);
  expect(await storage.names()).toEqual(['Backups', 'Laptop copy', 'a.txt']);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
});

test('a folder that is not empty asks: choosing another sends nothing, merging completes @narrow [PCK-15] [PCK-16] [PCK-17] [PCK-18] [PCK-19] [PCK-20]', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'Full/a.txt': 'a' });
  const { url, status } = await ask(page, 'sync');
  const completed = calls(page, 'set_handoff_process');
  await page.goto(url);
  await folder(page, 'Server').click();
  await folder(page, 'Full').click();
  await expect(page.getByText('There is no folder in here.')).toBeVisible();
  await okay(page).click();
  const question = page.getByRole('dialog', { name: 'Destination Folder Is Not Empty' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'CHOOSE DIFFERENT FOLDER' }).click();
  await expect(question).toHaveCount(0);
  expect([completed.length, (await status())['state']]).toEqual([0, 'pending']);
  await okay(page).click();
  await question.getByRole('button', { name: 'Merge Contents' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect((await status())['destinationPath']).toBe('Server/Full');
  expect(completed).toHaveLength(1);
});

test('an empty folder, and one that no longer exists, complete at once [PCK-21] [PCK-22]', async ({ owner: page, storage }) => {
  for (const isGone of [false, true]) {
    await storage.put({ 'Target/': '' });
    const { url, status } = await ask(page, 'sync');
    await page.goto(url);
    await folder(page, 'Server').click();
    await folder(page, 'Target').click();
    await expect(page.getByText('This folder is empty.')).toBeVisible();
    if (isGone) await rm(join(storage.path, 'Target'), { recursive: true });
    await okay(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    expect((await status())['destinationPath']).toBe('Server/Target');
  }
});

test('with merge evaluation off nothing is listed before completing [PCK-23]', async ({ owner: page, storage }) => {
  await storage.put({ 'Full/a.txt': 'a' });
  const { url } = await ask(page, 'sync', { evaluateMerge: 'false' });
  await page.goto(url);
  await folder(page, 'Server').click();
  await folder(page, 'Full').click();
  await expect(page.getByText('There is no folder in here.')).toBeVisible();
  const listed = calls(page, 'remote_update');
  await okay(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(listed).toEqual([]);
});

test('cancelling notifies the program, and the page says so [PCK-06] [PCK-09]', async ({ owner: page }) => {
  const { url, status } = await ask(page, 'backup');
  await page.goto(url);
  await expect(page.getByText('Choose the folder where your backup will be stored.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'The action has been canceled.' })).toBeVisible();
  await expectAccessible(page);
  expect((await status())['state']).toBe('canceled');
});

test('without a process token or a known action the page says what is wrong @narrow [PCK-11] [PCK-12]', async ({ user: page }) => {
  for (const query of ['', '?actionType=backup', '?processToken=x', '?processToken=x&actionType=other']) {
    await page.goto(`/getfolder${query}`);
    await expect(page.getByText('Error: Missing required configuration.')).toBeVisible();
  }
  await expectAccessible(page);
  await page.goto('/getfolder?processToken=unknown&actionType=backup');
  await expect(page.getByText('This link is no longer valid. Please ask for a new one.')).toBeVisible();
});

test('a backup without a subscription is refused with a link to one @narrow [PCK-27] [PCK-28]', async ({ owner: page, storage }) => {
  await storage.put({ 'Backups/': '' });
  const { url, status } = await ask(page, 'backup');
  await page.goto(url);
  await folder(page, 'Server').click();
  await okay(page).click();
  const told = page.getByRole('dialog', { name: 'No Backup Subscription' });
  await expect(told).toBeVisible();
  await expectAccessible(page);
  await told.getByRole('link').click();
  await expect(page).toHaveURL('/add-ons/backup');
  expect((await status())['state']).toBe('pending');
});

test('a session that has ended leads to sign-in and back to the picker [PCK-29]', async ({ owner: page, account }) => {
  const { url } = await ask(page, 'sync');
  await page.goto(url);
  await expect(folder(page, 'Server')).toBeVisible();
  await page.context().clearCookies();
  await folder(page, 'Server').click();
  await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Fgetfolder/);
  await page.getByRole('link', { name: 'Email' }).click();
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(folder(page, 'Server')).toBeVisible();
});

test('folders beyond the first page load on scrolling', async ({ owner: page, storage }) => {
  await storage.put(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`folder ${String(index).padStart(2, '0')}/`, ''])));
  const { url } = await ask(page, 'sync');
  await page.goto(url);
  await folder(page, 'Server').click();
  const list = page.getByRole('list', { name: 'Folders' });
  await expect(list.getByRole('listitem')).toHaveCount(25);
  for (const count of [50, 60]) {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(list.getByRole('listitem')).toHaveCount(count);
  }
});
