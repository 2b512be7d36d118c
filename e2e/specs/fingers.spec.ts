import type { Page } from '@playwright/test';
import { expectTargetsForFingers } from '../fixtures/targets.ts';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';
import { shareItem } from './shares/actions.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const files = { 'Album/dusk.txt': 'dusk', 'letter.txt': 'Dear reader', 'notes.txt': 'words' };

/** Opens the menu of a row by a long press. */
async function openMenu(page: Page, name: string): Promise<void> {
  await rowOf(page, name).click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
}

for (const [name, address, heading] of [
  ['links', '/account/mysheaf', 'Server'],
  ['shared links', '/account/mysheaf?catid=shares', 'Shared links'],
  ['spaces', '/account/mysheaf?catid=spaces', 'Spaces'],
  ['encryption', '/account/mysheaf?catid=encryption', 'Encryption'],
  ['organisation', '/account/mysheaf?catid=org', 'Organisation'],
  ['transfers', '/transfers', 'Transfers'],
  ['the account', '/account/profile', 'Change name'],
] as const)
  test(`on a phone all controls of the page of ${name} are large enough for touch`, async ({ owner: page, storage }) => {
    await storage.put(files);
    if (name === 'shared links') await shareItem(page, 'Server/letter.txt');
    await page.goto(address);
    await expect(page.getByText(heading).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectTargetsForFingers(page);
  });

test('on a phone the menu is large enough for touch', async ({ owner: page }) => {
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Side menu' }).click();
  await expectTargetsForFingers(page);
});

test('on a phone a folder, its selection and the menu of an item are large enough for touch', async ({ owner: page, storage }) => {
  await storage.put(files);
  await openFolder(page);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await test.step('folder', () => expectTargetsForFingers(page));
  await openMenu(page, 'letter.txt');
  await test.step('menu', () => expectTargetsForFingers(page));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible();
  await test.step('selection', () => expectTargetsForFingers(page));
});

test('on a phone the dialog of a share is large enough for touch', async ({ owner: page, storage }) => {
  await storage.put(files);
  await openFolder(page);
  await openMenu(page, 'letter.txt');
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectTargetsForFingers(page);
});

test('on a phone the search and a preview are large enough for touch', async ({ owner: page, storage }) => {
  await storage.put(files);
  await openFolder(page);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('letter');
  await expect(dialog.getByRole('row').first()).toBeVisible();
  await test.step('search', () => expectTargetsForFingers(page));
  await page.keyboard.press('Escape');
  await openMenu(page, 'letter.txt');
  await page.getByRole('menuitem', { name: 'Preview' }).click();
  await expect(page.getByRole('region', { name: /^Contents of/ })).toBeVisible();
  await test.step('preview', () => expectTargetsForFingers(page));
});

test('on a phone a visitor’s shared folder and a file in it are large enough for touch', async ({
  owner: page,
  storage,
  browser,
  sheaf,
}) => {
  await storage.put(files);
  const [folder, file] = [await shareItem(page, 'Server/Album'), await shareItem(page, 'Server/letter.txt')];
  const context = await browser.newContext({ baseURL: sheaf.url, viewport: page.viewportSize(), hasTouch: true });
  const guest = await context.newPage();
  await guest.goto(folder);
  await expect(guest.getByRole('link', { name: 'Download dusk.txt' })).toBeVisible();
  await test.step('folder', () => expectTargetsForFingers(guest));
  await guest.goto(file);
  await expect(guest.getByRole('link', { name: 'Download' })).toBeVisible();
  await test.step('file', () => expectTargetsForFingers(guest));
  await context.close();
});
