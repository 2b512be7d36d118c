import type { Locator, Page } from '@playwright/test';
import { type Storage, linkFolder, makeStorage, sftpInfo } from '../../fixtures/storage.ts';
import { expect, test as withOwner } from '../../fixtures/test.ts';
import { rowOf } from '../browse/actions.ts';

/** Tests of a user with two links: "Server", which is `storage`, and "Backup". */
export const test = withOwner.extend<{ backup: Storage }>({
  backup: async ({ owner, ssh, unique }, use) => {
    const storage = await makeStorage(ssh, `${unique}-backup`);
    await linkFolder(owner, 'Backup', sftpInfo(ssh, storage.path));
    await use(storage);
  },
});

/** Opens "Copy to", "Move to" or "Back up" from the menu of a row. */
export async function openTargets(page: Page, name: string, kind: 'Copy' | 'Move' | 'Back up'): Promise<Locator> {
  await rowOf(page, name).hover();
  await page.getByRole('button', { name: `Menu of ${name}` }).click();
  await page.getByRole('menuitem', { name: kind === 'Back up' ? 'Back up…' : `${kind} to…` }).click();
  const dialog = page.getByRole('dialog', { name: `${kind} ${name}` });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Goes down to a folder in the dialog: the link, then its folders. */
export async function chooseTarget(dialog: Locator, link: string, ...folders: readonly string[]): Promise<void> {
  await dialog.getByRole('region', { name: 'Links' }).getByRole('button', { name: link, exact: true }).click();
  for (const folder of folders)
    await dialog.getByRole('list', { name: 'Folders' }).getByRole('button', { name: folder, exact: true }).click();
  await expect(dialog.getByText(`Into ${[link, ...folders].join(' / ')}`)).toBeVisible();
}

/** Row of the transfer of that name in the drawer. */
export const lineOf = (page: Page, name: string): Locator =>
  page.getByRole('complementary', { name: 'Transfers' }).getByRole('listitem').filter({ hasText: name });

/** Waits for a notice that a transfer has ended with that result. */
export const expectMessage = (page: Page, text: string): Promise<void> =>
  expect(page.getByRole('region', { name: 'Notifications' }).getByText(text)).toBeVisible({ timeout: 20_000 });
