import type { Page } from '@playwright/test';
import type { Sheaf } from '../../fixtures/sheaf.ts';
import { test as base, expect, expectAccessible, sheafOf, signUp } from '../../fixtures/test.ts';
import { cards, fillCard } from '../purchase/actions.ts';
import { button, dialog, heading, home, link, makeOrg } from './actions.ts';

/** A server with billing off. */
const test = base.extend<object, { free: Sheaf }>({ free: sheafOf({ SHEAF_BILLING: 'off' }) });

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const fact = (page: Page, name: string) => page.locator(`dt:text-is("${name}") + dd`);

/** Buys the plan for that many members on its page, and returns to the page. */
async function buy(page: Page, units: string, number: string = cards.pays): Promise<void> {
  await part(page, 'Purchase').getByLabel('Members').fill(units);
  await part(page, 'Purchase').getByRole('button', { name: 'Purchase' }).click();
  await button(page, 'Continue to payment').click();
  await fillCard(page, number);
  await dialog(page, 'Purchase Organisation').getByRole('button', { name: 'Purchase' }).click();
  await expect(dialog(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
}

test('the owner purchases for some members, adds units, turns auto-renewal off and on, and gets a refund @narrow [ORG-14] [ORG-15] [ORG-16] [ORG-17] [RT-094]', async ({
  user: page,
}) => {
  const { orgOid } = await makeOrg(page);
  await page.goto(home);
  await link(page, 'Subscription').click();
  await expect(page).toHaveURL(`/org/subscription?orgOid=${orgOid}`);
  await expect(fact(page, 'State')).toHaveText('Free trial');
  for (const name of ['Purchase units', 'Refund', 'Turn auto-renew on']) await expect(button(page, name)).toBeDisabled();
  await expectAccessible(page);
  await part(page, 'Purchase').getByLabel('Members').fill('1');
  await expect(button(page, 'Purchase')).toBeDisabled();
  await part(page, 'Purchase').getByLabel('Members').fill('3');
  await expect(part(page, 'Purchase')).toContainText('$360 a year');
  await button(page, 'Purchase').click();
  await expect(dialog(page, 'Purchase Organisation')).toContainText('You will be charged $360 for the first year.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await buy(page, '3');
  await expect(page).toHaveURL(`/org/subscription?orgOid=${orgOid}`);
  await expect(fact(page, 'State')).toHaveText('Active');
  await expect(fact(page, 'Members')).toHaveText('1 of 3');
  await expect(button(page, 'Purchase')).toBeDisabled();
  await expectAccessible(page);

  await part(page, 'Units').getByLabel('Members the plan carries').fill('5');
  await button(page, 'Purchase units').click();
  const units = dialog(page, 'Purchase units: 5 members');
  await expect(units).toContainText('2 more cost $240 a year');
  await units.getByRole('button', { name: 'Purchase' }).click();
  await expect(fact(page, 'Members')).toHaveText('1 of 5');

  await button(page, 'Turn auto-renew off').click();
  await expectAccessible(page);
  await button(page, 'Turn off').click();
  await expect(part(page, 'Auto-renew')).toContainText('The plan ends on');
  await button(page, 'Turn auto-renew on').click();
  await expect(dialog(page, 'Turn auto-renew on?')).toContainText('you will be charged $600 for another year');
  await button(page, 'Turn on').click();
  await expect(part(page, 'Auto-renew')).toContainText('The plan renews on');

  await button(page, 'Refund').click();
  await dialog(page, 'End the plan and refund it?').getByRole('button', { name: 'Refund' }).click();
  await expect(fact(page, 'State')).toHaveText('Refunded');
  await page.goto(home);
  await expect(page.getByText('The plan has ended. The links are kept')).toBeVisible();
});

test('a declined card is reported, and another one pays', async ({ user: page }) => {
  const { orgOid } = await makeOrg(page);
  await page.goto(`/org/subscription?orgOid=${orgOid}`);
  await button(page, 'Purchase').click();
  await button(page, 'Continue to payment').click();
  await fillCard(page, cards.declined);
  await dialog(page, 'Purchase Organisation').getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Your card was declined.');
  await fillCard(page, cards.pays);
  await dialog(page, 'Purchase Organisation').getByRole('button', { name: 'Purchase' }).click();
  await expect(dialog(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
  await expect(fact(page, 'State')).toHaveText('Active');
});

test('the billing page lists the bills and changes the card @narrow [ORG-18] [ORG-19] [RT-095]', async ({ user: page }) => {
  const { orgOid } = await makeOrg(page);
  await page.goto(home);
  await link(page, 'Billing').click();
  await expect(page).toHaveURL(`/org/billing?orgOid=${orgOid}`);
  await expect(part(page, 'Billing list')).toContainText('No charges yet.');
  await expect(button(page, 'Change billing')).toBeDisabled();
  await expectAccessible(page);
  await link(page, 'Subscription').click();
  await buy(page, '2');
  await link(page, 'Billing').click();
  await expect(part(page, 'Billing list').getByText('$240')).toBeVisible();
  await expect(part(page, 'Change billing')).toContainText('ending in 1111');
  await expectAccessible(page);
  await button(page, 'Change billing').click();
  await fillCard(page, cards.declinedLater);
  await button(page, 'Save').click();
  await expect(dialog(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
  await expect(page).toHaveURL(`/org/billing?orgOid=${orgOid}`);
  await expect(part(page, 'Change billing')).toContainText('ending in 0341');
});

test('with billing off an organisation has members and nothing to pay', async ({ browser, free, account }) => {
  const page = await browser.newPage({ baseURL: free.url });
  await signUp(page, account);
  const { orgOid } = await makeOrg(page);
  await page.goto(home);
  await expect(link(page, 'Members')).toBeVisible();
  await expect(link(page, 'Subscription')).toHaveCount(0);
  for (const name of ['subscription', 'billing']) {
    await page.goto(`/org/${name}?orgOid=${orgOid}`);
    await expect(heading(page, 'Halm Studio')).toBeVisible();
    await expect(page.getByText('Everything is included on this installation.')).toBeVisible();
  }
  await page.close();
});
