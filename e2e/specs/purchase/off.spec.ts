import { routes } from '@sheaf/contract';
import type { Sheaf } from '../../fixtures/sheaf.ts';
import { test as base, expect, expectAccessible, sheafOf, signUp } from '../../fixtures/test.ts';
import { heading } from './actions.ts';

/** A server with billing off, and one with an operator. */
const test = base.extend<object, { free: Sheaf; operated: Sheaf }>({
  free: sheafOf({ SHEAF_BILLING: 'off' }),
  operated: sheafOf({ SHEAF_OPERATORS: 'boss@halm.example' }),
});

test('with billing off there is no notice, no entry of the shop, and its pages say that everything is included [NAV-13]', async ({
  browser,
  free,
  account,
}) => {
  const context = await browser.newContext({ baseURL: free.url });
  const page = await context.newPage();
  await signUp(page, account);
  for (const path of ['/upgrade', '/account/upgrade', '/account/subscriptions', '/account/billing']) {
    await page.goto(path);
    await expect(heading(page, 'Everything is included')).toBeVisible();
  }
  await expectAccessible(page);
  await expect(page.getByRole('banner').getByRole('link', { name: /Premium/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Account: Mara Halm' }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  for (const name of ['Subscriptions', 'Billing', 'Billing sandbox']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0);
  }
  await page.goto('/add-ons/spaces');
  await expect(page.getByText('Spaces is included on this installation.')).toBeVisible();
  await page.goto('/operator/billing');
  await expect(page.getByText('This installation does not bill in the sandbox, so there is no clock to move.')).toBeVisible();
  await context.close();
});

test('the clock of the sandbox is for operators only, in the menu and on its page', async ({ browser, operated, account }) => {
  const context = await browser.newContext({ baseURL: operated.url });
  const page = await context.newPage();
  await signUp(page, account);
  await page.goto('/operator/billing');
  await expect(heading(page, 'This page is for operators')).toBeVisible();
  await page.getByRole('button', { name: 'Account: Mara Halm' }).click();
  await expect(page.getByRole('menuitem', { name: 'Billing', exact: true })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Billing sandbox' })).toHaveCount(0);
  await context.close();
});

test('whoever is no operator is told so on each page of operators, which asks for nothing there @narrow', async ({
  browser,
  operated,
  account,
}) => {
  const context = await browser.newContext({ baseURL: operated.url });
  const page = await context.newPage();
  await signUp(page, account);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const addresses = routes.filter(({ name }) => name.startsWith('operator')).map(({ pattern }) => pattern);
  for (const address of addresses) {
    await page.goto(address);
    await expect(heading(page, 'This page is for operators')).toBeVisible();
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  }
  expect(addresses.length).toBeGreaterThan(6);
  expect(asked.filter((path) => path.startsWith('/rest/operator'))).toEqual([]);
  await expectAccessible(page);
  await expect(page.getByText('If you are one of them, verify your e-mail address first.')).toBeVisible();
  await page.getByRole('link', { name: 'Verify my address' }).click();
  await expect(page).toHaveURL('/account/profile');
  await context.close();
});
