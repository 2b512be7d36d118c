import type { Page } from '@playwright/test';
import { sessionInfo } from '@sheaf/contract';
import { startSheaf } from '../fixtures/sheaf.ts';
import { expect, expectAccessible, signUp, test } from '../fixtures/test.ts';

const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Side menu' });
const burger = (page: Page) => page.getByRole('button', { name: 'Side menu' });

test('a parent of the menu opens without closing the menu, leads to its pages and marks the current one', async ({ user: page }) => {
  await page.goto('/forum');
  await burger(page).click();
  const account = sideMenu(page).getByRole('button', { name: 'Account' });
  await expect(account).toHaveAttribute('aria-expanded', 'false');
  await account.click();
  await expect(account).toHaveAttribute('aria-expanded', 'true');
  await expect(sideMenu(page)).toBeVisible();
  const children = ['Profile', 'Subscriptions', 'Billing', 'Activity', 'Export and import'];
  for (const name of children) await expect(sideMenu(page).getByRole('link', { name, exact: true })).toBeVisible();
  await sideMenu(page).getByRole('link', { name: 'Activity' }).click();
  await expect(page).toHaveURL('/account/activity');
  await burger(page).click();
  await expect(sideMenu(page).locator('[aria-current=page]')).toHaveText('Activity');
  await page.reload();
  await expect(sideMenu(page).getByRole('button', { name: 'Account' })).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
});

test('the model decides what visitors and users see [NAV-27]', async ({ page, account }) => {
  const model = async () => {
    const answer = await page.request.get(sessionInfo.path);
    return (
      (await answer.json()) as { data: { menu: { items: { title: string }[]; footerItems: { title: string }[]; hasFooter: boolean } } }
    ).data.menu;
  };
  const titles = (items: { title: string }[]) => items.map(({ title }) => title);
  const visitor = await model();
  expect(titles(visitor.items)).toEqual(['About', 'Forum', 'Download', 'Sign in']);
  expect(visitor.hasFooter).toBe(false);
  await signUp(page, account);
  const user = await model();
  expect(titles(user.items).slice(0, 10)).toEqual([
    'My links',
    'Shared links',
    'Spaces',
    'Encryption',
    'Organisation',
    'Transfers',
    'Link marketplace',
    'Backup',
    'Download',
    'Account',
  ]);
  expect(titles(user.footerItems)).toEqual(['Forum', 'User forum', 'Support', 'About', 'Careers']);
  expect(user.hasFooter).toBe(true);
});

test('a menu item is a page with a query, a parent of further pages or an action, and the current one is marked [NAV-20] [NAV-21] [NAV-22] [NAV-24] [NAV-25] [NAV-26]', async ({
  owner: page,
}) => {
  const current = sideMenu(page).locator('[aria-current=page]');
  await page.goto('/shared');
  await burger(page).click();
  await expect(current).toHaveText('Shared links');
  await sideMenu(page).getByRole('link', { name: 'Spaces', exact: true }).click();
  await expect(page).toHaveURL('/account/mysheaf?catid=spaces');
  await burger(page).click();
  for (const address of ['/browse/Server', '/gallery/Server']) {
    await page.goto(address);
    await expect(current).toHaveText('My links');
  }
  await sideMenu(page).getByRole('button', { name: 'Account' }).click();
  await expect(sideMenu(page).getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/account/profile');
  await sideMenu(page).getByRole('button', { name: 'Download' }).click();
  await expect(page.getByRole('dialog', { name: 'Get Sheaf for your computer' })).toBeVisible();
});

test('a menu item can be an address, in the same tab or in a new one [NAV-18] [NAV-19] [NAV-28]', async ({ user: page }) => {
  const answer = await page.request.get(sessionInfo.path);
  const { data } = (await answer.json()) as { data: { menu: { footerItems: { id: string }[]; items: object[] } } };
  expect(data.menu.footerItems.find(({ id }) => id === 'userforum')).toEqual({
    id: 'userforum',
    title: 'User forum',
    url: 'https://forum.example/',
    newTab: true,
  });
  expect(data.menu.items.flatMap((item) => Object.keys(item))).toEqual(
    expect.arrayContaining(['id', 'title', 'route', 'query', 'menuParent', 'action', 'newSection']),
  );
  await page.goto('/shared');
  await page.getByRole('button', { name: 'Side menu' }).click();
  const forum = sideMenu(page).getByRole('link', { name: 'User forum' });
  await expect(forum).toHaveAttribute('href', 'https://forum.example/');
  await expect(forum).toHaveAttribute('target', '_blank');
  const support = sideMenu(page).getByRole('link', { name: 'Support' });
  await expect(support).toHaveAttribute('href', 'mailto:help@sheaf.example');
  await expect(support).not.toHaveAttribute('target', '_blank');
});

test('with billing off and no address set, the menu sells nothing and nothing offers contact', async ({ browser, account }) => {
  const sheaf = await startSheaf({ SHEAF_BILLING: 'off' });
  const context = await browser.newContext({ baseURL: sheaf.url });
  const page = await context.newPage();
  await signUp(page, account);
  await page.goto('/forum');
  await burger(page).click();
  await sideMenu(page).getByRole('button', { name: 'Account' }).click();
  await expect(sideMenu(page).getByRole('link', { name: 'Activity' })).toBeVisible();
  for (const name of ['Subscriptions', 'Billing']) await expect(sideMenu(page).getByRole('link', { name, exact: true })).toHaveCount(0);
  await expect(sideMenu(page).getByRole('link', { name: /support|user forum/i })).toHaveCount(0);
  await page.goto('/login/accountdisabled');
  await expect(page.getByRole('heading', { name: 'This account has been disabled.', exact: true })).toBeVisible();
  await page.goto('/download');
  await expect(page.getByRole('button', { name: 'Linux' })).toBeVisible();
  await expect(page.getByText('user forum')).toHaveCount(0);
  await context.close();
  await sheaf.stop();
});
