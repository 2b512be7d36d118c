import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const tabs = (page: Page): Locator => page.getByRole('navigation', { name: 'Categories' });

const categories = [
  ['links', 'Links', '/account/mysheaf', ['Links list', 'Link picker'], '[RT-115]'],
  ['shares', 'Shared links', '/account/mysheaf?catid=shares', ['Share list'], '[RT-115]'],
  ['spaces', 'Spaces', '/account/mysheaf?catid=spaces', ['Space list'], '[RT-064] [RT-115]'],
  ['encryption', 'Encryption', '/account/mysheaf?catid=encryption', ['Encryption list'], '[RT-115]'],
  ['org', 'Organisation', '/account/mysheaf?catid=org', ['Organisation list'], '[RT-067] [RT-115]'],
] as const;

for (const [id, title, address, names, ids] of categories) {
  test(`the category ${id} of the home page mounts its regions by name @narrow ${ids}`, async ({ owner: page }) => {
    await page.goto(`/account/mysheaf?catid=${id}`);
    for (const name of names) {
      await expect(region(page, name)).toBeVisible();
      await expect(region(page, name)).toHaveAttribute('id', /^[a-z]+-[a-z]+$/);
    }
    await expect(page.locator('[data-region]')).toHaveCount(names.length);
    // The categories are in tabs on a phone, in the rail on wider windows.
    const isNarrow = (page.viewportSize()?.width ?? 0) < 700;
    await expect(tabs(page)).toHaveCount(isNarrow ? 1 : 0);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(tabs(page).locator('[aria-current]')).toHaveText(title);
    await expect(tabs(page).getByRole('link', { name: title, exact: true })).toHaveAttribute('href', address);
  });
}

test('the tabs have a fixed order, and an unknown category shows the links [RT-114] [RT-115]', async ({ owner: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const address of ['/account/mysheaf', '/account/mysheaf?catid=nothing']) {
    await page.goto(address);
    await expect(region(page, 'Links list').getByRole('link', { name: 'Server' })).toBeVisible();
    await expect(tabs(page).locator('a')).toHaveText(['Links', 'Shared links', 'Spaces', 'Encryption', 'Organisation']);
    await expect(tabs(page).locator('[aria-current]')).toHaveText('Links');
  }
});

test('tabs lead from category to category, and back @narrow [RT-064] [RT-067]', async ({ owner: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/account/mysheaf');
  await tabs(page).getByRole('link', { name: 'Spaces' }).click();
  await expect(page).toHaveURL('/account/mysheaf?catid=spaces');
  await expect(region(page, 'Space list')).toBeVisible();
  await tabs(page).getByRole('link', { name: 'Organisation' }).click();
  await expect(region(page, 'Organisation list')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(region(page, 'Links list')).toBeVisible();
});

test('the link picker of the home page returns to the home page @narrow [RT-116]', async ({ owner: page }) => {
  await page.goto('/account/mysheaf?catid=links');
  const picker = region(page, 'Link picker');
  await picker.getByRole('button', { name: 'Add more storage' }).click();
  await expectAccessible(page);
  await picker.getByRole('searchbox').fill('ftp');
  await picker.getByRole('link', { name: /^FTP/ }).click();
  await expect(page).toHaveURL(/^[^?]*\/links\/ftp\?mode=create&redirectUrl=%2Faccount%2Fmysheaf&cancelUrl=%2Faccount%2Fmysheaf$/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
});

test('without links the picker is open, and returns to the home page too [RT-115] [RT-116]', async ({ user: page }) => {
  await page.goto('/account/mysheaf');
  await expect(region(page, 'Links list')).toContainText('You have not linked any storage yet.');
  await region(page, 'Link picker')
    .getByRole('link', { name: /^WebDAV/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/account/mysheaf');
});
