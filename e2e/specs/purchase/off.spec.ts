import type { Sheaf } from '../../fixtures/sheaf.ts';
import { test as base, expect, expectAccessible, sheafOf, signUp } from '../../fixtures/test.ts';
import { heading } from './actions.ts';

/** A server that sells nothing, and one that has an operator. */
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
  await expect(page.getByText('Only the operators of this installation can see this page.')).toBeVisible();
  await page.getByRole('button', { name: 'Account: Mara Halm' }).click();
  await expect(page.getByRole('menuitem', { name: 'Billing', exact: true })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Billing sandbox' })).toHaveCount(0);
  await context.close();
});
