import type { Page } from '@playwright/test';
import { upload, versionList } from '@sheaf/contract';
import { watchCalls } from '../../fixtures/link-calls.ts';
import { authorize, test } from '../../fixtures/providers.ts';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { button, fill } from '../dialogs/fields.ts';
import { openFolder, rowOf, savedFrom } from './actions.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const tabPanelOf = (page: Page) => panel(page).getByRole('tabpanel');
const versionsOf = (page: Page) => tabPanelOf(page).getByRole('listitem');
const dropbox = '/browse/My%20Dropbox';

/** Replaces the content of a new file of the user's only link until it has the last one. */
async function writeVersions(page: Page, name: string, texts: readonly string[]): Promise<void> {
  const answer = await page.request.get('/rest/ws/all_links');
  const { data } = (await answer.json()) as { data: { activeSources: { links: { linkUri: string }[] }[] } };
  const parentLinkUri = data.activeSources[0]?.links[0]?.linkUri ?? '';
  const rTag = (await page.context().cookies()).find((cookie) => cookie.name === 'sh')?.value ?? '';
  for (const text of texts) {
    const query = new URLSearchParams({ parentLinkUri, name, conflict: 'replace' }).toString();
    const written = await page.request.put(`${upload.path}?${query}`, {
      headers: { 'x-rtag': rTag, 'content-type': 'text/plain' },
      data: text,
    });
    expect(written.ok(), await written.text()).toBe(true);
  }
}

async function linkDropbox(page: Page): Promise<void> {
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL(dropbox);
}

/** Opens the versions of the file in the panel, by keys from its first tab. */
async function openVersions(page: Page, address: string, name: string, isNarrow = false): Promise<void> {
  await openFolder(page, address);
  const row = rowOf(page, name);
  if (isNarrow) {
    await row.getByRole('button', { name: `Menu of ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Select' }).click();
  } else await row.click();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(panel(page).getByRole('heading')).toHaveText(name);
  await panel(page).getByRole('tab', { name: 'Details' }).press('ArrowLeft');
  await expect(panel(page).getByRole('tab', { name: 'Versions' })).toBeFocused();
}

const contents = ['first words', 'second', 'third one'];

async function expectSizes(page: Page, ...sizes: readonly string[]): Promise<void> {
  await expect(versionsOf(page)).toHaveCount(sizes.length);
  for (const [index, size] of sizes.entries()) await expect(versionsOf(page).nth(index)).toContainText(size);
}

/** Lists, opens, downloads and brings back versions of a file, in a link whose storage keeps all of them. */
async function expectVersions(page: Page, address: string, name: string): Promise<void> {
  await expect(page).toHaveURL(address);
  await writeVersions(page, name, contents);
  await openVersions(page, address, name);
  await expectSizes(page, '6 bytes', '11 bytes');
  const oldest = versionsOf(page).nth(1);
  const [tab] = await Promise.all([page.context().waitForEvent('page'), oldest.getByRole('link', { name: 'Open the version' }).click()]);
  await expect(tab.getByText('first words')).toBeVisible();
  await tab.close();
  const download = () => oldest.getByRole('link', { name: 'Download the version' }).click();
  expect((await savedFrom(page, download)).toString()).toBe('first words');
  await oldest.getByRole('button', { name: 'Bring back the version' }).click();
  await expect(page.getByRole('status').filter({ hasText: `Brought back an earlier version of “${name}”` })).toBeVisible();
  // What it replaced is a version now.
  await expect(versionsOf(page).first()).toContainText('9 bytes');
  await panel(page).getByRole('tab', { name: 'Details' }).click();
  await expect(panel(page)).toContainText('11 bytes');
}

for (const [route, title] of [
  ['googledrive', 'Google Drive'],
  ['box', 'Box'],
] as const)
  test(`versions of a file in ${title} are listed, opened, downloaded and brought back`, async ({ user: page, providers, unique }) => {
    await authorize(page, route, 'mara@example.org');
    await expectVersions(page, `/browse/${encodeURIComponent(`My ${title}`)}`, `plan ${unique}.txt`);
    providers.assertClean();
  });

test('versions of a file in a bucket of Google Cloud are listed, opened, downloaded and brought back', async ({
  user: page,
  providers,
  unique,
}) => {
  await authorize(page, 'googlecloud', 'mara@example.org');
  await fill(page, { 'Bucket name': 'mara-versions' });
  await button(page, 'Link').click();
  await expectVersions(page, '/browse/My%20Google%20Cloud%20Storage', `plan ${unique}.txt`);
  providers.assertClean();
});

test('versions of a file in a bucket of S3 are listed, opened, downloaded and brought back', async ({ user: page, swift, unique }) => {
  const bucket = `versions-${unique}`;
  await swift.createBucket(bucket, { versioned: true });
  await page.goto('/links/s3compat');
  await fill(page, {
    Name: 'Photos',
    Host: swift.endpoint,
    'Bucket name': bucket,
    'Access key id': swift.key,
    Secret: swift.secret,
  });
  await button(page, 'Link').click();
  await expectVersions(page, '/browse/Photos', `plan ${unique}.txt`);
});

test('earlier versions of a file are listed beside it, and one comes back by the keyboard, which undo takes back @narrow', async ({
  user: page,
  providers,
  unique,
}, { project }) => {
  const name = `plan ${unique}.txt`;
  await linkDropbox(page);
  await writeVersions(page, name, contents);
  await openVersions(page, dropbox, name, project.name === 'narrow');
  const versions = versionsOf(page);
  await expectSizes(page, '6 bytes', '11 bytes');
  await expectAccessible(page);
  const tabPanel = tabPanelOf(page);
  await page.keyboard.press('Tab');
  await expect(tabPanel).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  // The newer version has two links and a button, and the older one begins with its links.
  const links = versions.filter({ hasText: '11 bytes' }).getByRole('link');
  for (const _ of [1, 2]) await page.keyboard.press('Tab');
  await expect(links.first()).toBeFocused();
  const href = (await links.nth(1).getAttribute('href')) ?? '';
  const bytes = await page.request.get(href);
  expect([await bytes.text(), bytes.headers()['content-disposition']]).toEqual(['first words', expect.stringContaining('attachment')]);
  for (const _ of [1, 2]) await page.keyboard.press('Tab');
  const oldest = versions.filter({ hasText: '11 bytes' }).getByRole('button');
  await expect(oldest).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `Brought back an earlier version of “${name}”` })).toBeVisible();
  await expect(versions.first()).toContainText('9 bytes');
  // The keyboard stays in the panel.
  await expect(tabPanel.locator(':focus')).toHaveCount(1);
  await expect(rowOf(page, name)).toContainText('11 bytes');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(versions.first()).toContainText('11 bytes');
  await panel(page).getByRole('tab', { name: 'Details' }).click();
  await expect(panel(page)).toContainText('9 bytes');
  providers.assertClean();
});

test('a file without earlier versions says so, and a list that cannot be had is asked for again @narrow', async ({ user: page, unique }, {
  project,
}) => {
  const name = `new ${unique}.txt`;
  const calls = await watchCalls(page, new RegExp(`${versionList.path}\\?`));
  calls.answer('versions', { errorCode: 500, messageCode: 'INTERNAL_ERROR', message: 'Something went wrong.' });
  await linkDropbox(page);
  await writeVersions(page, name, ['only']);
  await openVersions(page, dropbox, name, project.name === 'narrow');
  const again = panel(page).getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await expectAccessible(page);
  calls.answer('versions', { data: { can: ['list', 'read', 'restore'], versions: [] } });
  await again.click();
  await expect(panel(page)).toContainText('The storage has no earlier version of this file.');
  await expectAccessible(page);
});
