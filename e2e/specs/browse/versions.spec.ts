import type { Page } from '@playwright/test';
import { upload, versionList } from '@sheaf/contract';
import { watchCalls } from '../../fixtures/link-calls.ts';
import { authorize, test } from '../../fixtures/providers.ts';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { openFolder, rowOf } from './actions.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const address = '/browse/My%20Dropbox';

/** Links Dropbox and replaces the content of a new file there until it has the last one. */
async function writeVersions(page: Page, name: string, texts: readonly string[]): Promise<void> {
  await authorize(page, 'dropbox', 'mara@example.org');
  await expect(page).toHaveURL(address);
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

/** Opens the versions of the file in the panel, by keys from its first tab. */
async function openVersions(page: Page, name: string, isNarrow: boolean): Promise<void> {
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

test('earlier versions of a file are listed beside it, and one comes back by the keyboard, which undo takes back @narrow', async ({
  user: page,
  providers,
  unique,
}, { project }) => {
  const name = `plan ${unique}.txt`;
  await writeVersions(page, name, ['first words', 'second', 'third one']);
  await openVersions(page, name, project.name === 'narrow');
  const versions = panel(page).getByRole('tabpanel').getByRole('listitem');
  await expect(versions).toHaveCount(2);
  await expect(versions.nth(0)).toContainText('6 bytes');
  await expect(versions.nth(1)).toContainText('11 bytes');
  await expectAccessible(page);
  const tabPanel = panel(page).getByRole('tabpanel');
  await page.keyboard.press('Tab');
  await expect(tabPanel).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const oldest = versions.filter({ hasText: '11 bytes' }).getByRole('button');
  await expect(oldest).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `Brought back an earlier version of “${name}”` })).toBeVisible();
  await expect(versions.first()).toContainText('9 bytes');
  // The keyboard stays in the panel.
  await expect(tabPanel.locator(':focus')).toHaveCount(1);
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
  await writeVersions(page, name, ['only']);
  await openVersions(page, name, project.name === 'narrow');
  const again = panel(page).getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await expectAccessible(page);
  calls.answer('versions', { data: { kept: true, canRestore: true, versions: [] } });
  await again.click();
  await expect(panel(page)).toContainText('The storage has no earlier version of this file.');
  await expectAccessible(page);
});
