import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures/test.ts';

const burger = (page: Page) => page.getByRole('button', { name: 'Side menu' });
const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Side menu' });
const rail = (page: Page) => page.getByRole('navigation', { name: 'Main pages' });
const account = (page: Page) => page.getByRole('button', { name: 'Account: Mara Halm' });
const menuCookie = async (page: Page): Promise<string | undefined> =>
  (await page.context().cookies()).find(({ name }) => name === 'menucookie')?.value;

/** Replaces the server's menu for the page. */
async function giveMenu(page: Page, items: readonly object[]): Promise<void> {
  await page.route('/rest/session/info', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { menu: object } };
    await route.fulfill({ response, json: { data: { ...data, menu: { items, footerItems: [], hasFooter: false } } } });
  });
}

test('"/" is the start page of a visitor and leads a signed-in user home [RT-001] [RT-062]', async ({ page, account: who }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'All your storage, bound together.' })).toBeVisible();
  await page.goto('/account/mysheaf');
  await expect(page).toHaveURL('/');
  await page.request.post('/rest/auth/email/signup', { form: { ...who } });
  await page.goto('/');
  await expect(page).toHaveURL('/account/mysheaf');
  await expect(page.getByText('You have not linked any storage yet.')).toBeVisible();
});

test('a visitor sees Sign in and no account, and the brand leads to the start page @narrow [NAV-08] [NAV-09] [NAV-11]', async ({
  page,
}) => {
  await page.goto('/about');
  await expect(page.getByRole('link', { name: 'SIGN IN' })).toHaveAttribute('href', /^\/login\/start\?/);
  await expect(page.getByRole('button', { name: /^Account/ })).toHaveCount(0);
  await expect(burger(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Sheaf, start page' }).click();
  await expect(page).toHaveURL('/');
  await expectAccessible(page);
});

test('a user sees name and menu button, and the brand leads home @narrow [NAV-01] [NAV-07] [NAV-10]', async ({ user: page, isMobile }) => {
  await page.goto('/account/profile');
  await expect(account(page)).toBeVisible();
  if (!isMobile && (page.viewportSize()?.width ?? 0) > 700) await expect(account(page)).toContainText('Mara Halm');
  await expect(burger(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'SIGN IN' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Sheaf, my links' }).click();
  await expect(page).toHaveURL('/account/mysheaf');
});

test('the account menu leads to the pages of the account [NAV-02] [NAV-03] [NAV-04] [NAV-05] [NAV-06]', async ({ user: page }) => {
  await page.goto('/forum');
  const entries = [
    ['My Sheaf', '/account/mysheaf'],
    ['Profile', '/account/profile'],
    ['Subscriptions', '/account/subscriptions'],
    ['Billing', '/account/billing'],
    ['Sign out', '/logout'],
  ] as const;
  await account(page).click();
  await expectAccessible(page);
  for (const [name, href] of entries) await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAttribute('href', href);
  for (const [name, href] of entries) {
    if (await page.getByRole('menuitem', { name, exact: true }).isHidden()) await account(page).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await expect(page).toHaveURL(href);
  }
});

test('the account menu closes on an outside click and on Esc [NAV-34]', async ({ user: page }) => {
  await page.goto('/forum');
  await account(page).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await page.getByRole('heading', { name: 'Help' }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeHidden();
  await account(page).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeHidden();
});

test('the menu button toggles the side menu and the choice survives a reload [NAV-29] [NAV-30] [NAV-31] [NAV-36]', async ({
  user: page,
}) => {
  await page.goto('/forum');
  await expect(rail(page)).toBeVisible();
  await expect(sideMenu(page)).toBeHidden();
  await burger(page).click();
  await expect(sideMenu(page)).toBeVisible();
  expect(await menuCookie(page)).toBe('on');
  await page.reload();
  await expect(sideMenu(page)).toBeVisible();
  await burger(page).click();
  await expect(sideMenu(page)).toBeHidden();
  expect(await menuCookie(page)).toBe('off');
  await page.reload();
  await expect(burger(page)).toBeVisible();
  await expect(sideMenu(page)).toBeHidden();
});

test('a menu that is not pinned floats over the page, moves nothing and closes on a click outside, which is stored [NAV-35]', async ({
  user: page,
}) => {
  await page.goto('/forum');
  const heading = page.getByRole('heading', { name: 'Help' });
  const before = await heading.boundingBox();
  await burger(page).click();
  await sideMenu(page).getByText('My links').hover();
  await expect(sideMenu(page)).toBeVisible();
  expect(await heading.boundingBox()).toEqual(before);
  await expectAccessible(page);
  await page.locator('main').click({ position: { x: 600, y: 400 } });
  await expect(sideMenu(page)).toBeHidden();
  expect(await heading.boundingBox()).toEqual(before);
  expect(await menuCookie(page)).toBe('off');
});

test('Escape and a choice close the floating menu, and the focus returns to the burger', async ({ user: page }) => {
  await page.goto('/forum');
  await burger(page).press('Enter');
  await expect(sideMenu(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sideMenu(page)).toBeHidden();
  await expect(burger(page)).toBeFocused();
  await burger(page).press('Enter');
  await sideMenu(page).getByRole('link', { name: 'Spaces' }).press('Enter');
  await expect(page).toHaveURL('/account/mysheaf?catid=spaces');
  await expect(sideMenu(page)).toBeHidden();
  await expect(burger(page)).toBeFocused();
});

test('a pinned menu is docked: it stays on clicks outside, on choices and after a reload, until it is unpinned', async ({ user: page }) => {
  await page.goto('/forum');
  await burger(page).click();
  await sideMenu(page).getByRole('button', { name: 'Pin menu' }).click();
  const right = async (): Promise<number> => {
    const box = await sideMenu(page).boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  const left = async (): Promise<number> => (await page.locator('main').boundingBox())?.x ?? 0;
  await expect.poll(async () => (await left()) - (await right())).toBe(0);
  await expect(rail(page)).toBeHidden();
  await page.getByRole('heading', { name: 'Help' }).click();
  await page.keyboard.press('Escape');
  await sideMenu(page).getByRole('link', { name: 'Spaces' }).click();
  await expect(page).toHaveURL('/account/mysheaf?catid=spaces');
  await expect(sideMenu(page)).toBeVisible();
  await page.reload();
  await expect(sideMenu(page)).toBeVisible();
  await expectAccessible(page);
  await sideMenu(page).getByRole('button', { name: 'Unpin menu' }).click();
  await expect(sideMenu(page).getByRole('button', { name: 'Pin menu' })).toBeVisible();
  await expect.poll(left).toBe(56);
});

test('from 700 px up a rail of icons is always shown, marks the current page and names its icons', async ({ user: page }) => {
  await page.setViewportSize({ width: 700, height: 800 });
  await page.goto('/forum');
  await rail(page).getByRole('link', { name: 'Shared links' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Shared links' })).toBeVisible();
  await rail(page).getByRole('link', { name: 'Shared links' }).click();
  await expect(rail(page).locator('[aria-current=page]')).toHaveAccessibleName('Shared links');
  await expectAccessible(page);
  await rail(page).getByRole('button', { name: 'Account' }).click();
  await expect(sideMenu(page)).toBeVisible();
  await page.setViewportSize({ width: 699, height: 800 });
  await expect(rail(page)).toBeHidden();
});

test('under 700 px the side menu fills the window, and a stored "on" is set to "off" [NAV-32] [NAV-33]', async ({ user: page }) => {
  await page.goto('/forum');
  await burger(page).click();
  expect(await menuCookie(page)).toBe('on');
  await page.setViewportSize({ width: 699, height: 800 });
  await page.reload();
  await expect(burger(page)).toBeVisible();
  await expect(sideMenu(page)).toBeHidden();
  expect(await menuCookie(page)).toBe('off');
  await burger(page).click();
  await expect(sideMenu(page)).toBeVisible();
  const box = await sideMenu(page).boundingBox();
  expect(box?.width).toBe(699);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(800);
  await expectAccessible(page);
  await sideMenu(page).getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL('/about');
  await expect(sideMenu(page)).toBeHidden();
});

test('the current item of the side menu is marked, and the footer leads to the further pages', async ({ user: page }) => {
  await page.goto('/account/mysheaf');
  const current = sideMenu(page).locator('[aria-current=page]');
  await burger(page).click();
  await expect(current).toHaveText('My links');
  await page.goto('/browse');
  await expect(current).toHaveText('My links');
  await sideMenu(page).getByRole('link', { name: 'Careers' }).click();
  await expect(page).toHaveURL('/careers');
  await burger(page).click();
  await expect(sideMenu(page)).toBeVisible();
  await expect(current).toHaveCount(0);
});

test('a menu item can be an address in a new tab, a parent of further addresses, or an action [NAV-19] [NAV-21] [NAV-22] [NAV-28]', async ({
  user: page,
}) => {
  const child = { id: 'status', title: 'Status', url: 'https://status.example/', newTab: true };
  await giveMenu(page, [
    { id: 'home', title: 'Home', route: '/account/mysheaf', query: { catid: 'spaces' } },
    { id: 'docs', title: 'Documentation', url: 'https://docs.example/', newTab: true, newSection: true },
    { id: 'more', title: 'More', menuParent: { childMenu: [child] } },
    { id: 'get', title: 'Download', action: 'DOWNLOAD_DESKTOP' },
  ]);
  await page.goto('/forum');
  await burger(page).click();
  const menu = sideMenu(page);
  await expect(menu.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/account/mysheaf?catid=spaces');
  const documentation = menu.getByRole('link', { name: 'Documentation' });
  await expect(documentation).toHaveAttribute('href', 'https://docs.example/');
  await expect(documentation).toHaveAttribute('target', '_blank');
  await expect(menu.getByRole('separator')).toHaveCount(1);
  await expect(menu.getByRole('link', { name: 'Status' })).toBeHidden();
  await menu.getByRole('button', { name: 'More' }).click();
  await expect(menu.getByRole('link', { name: 'Status' })).toHaveAttribute('href', 'https://status.example/');
  await expect(menu.getByRole('link', { name: 'Status' })).toHaveAttribute('target', '_blank');
  await menu.getByRole('button', { name: 'Download' }).click();
  await expect(page.getByRole('dialog', { name: 'Get Sheaf for your computer' })).toBeVisible();
});

test('light and dark are chosen in the account menu and kept in the browser', async ({ user: page }) => {
  await page.goto('/forum');
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await account(page).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await ground()).not.toBe(light);
  await expectAccessible(page);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(page);
});

test('the first Tab skips bar and menu to the content', async ({ user: page }) => {
  await page.goto('/forum');
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

test('a new page starts at the top; going back or reloading restores the scroll position @narrow', async ({ user: page }) => {
  const top = (): Promise<number> => page.locator('#sheet').evaluate((sheet) => Math.round(sheet.scrollTop));
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 1280, height: 420 });
  await page.goto('/account/profile');
  await expect(page.getByRole('heading', { level: 2 }).last()).toBeVisible();
  await page.locator('#sheet').evaluate((sheet) => sheet.scrollTo(0, 260));
  await page
    .getByRole('link', { name: /^Sheaf/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/account\/mysheaf$/);
  await expect.poll(top).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/account\/profile$/);
  await expect.poll(top).toBe(260);
  await page.reload();
  await expect.poll(top).toBe(260);
});
