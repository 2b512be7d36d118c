import type { Page } from '@playwright/test';
import { reveals } from '../../fixtures/reveals.ts';
import { call as callAs, expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, buyPremium, cards, fillCard, heading, submit, subscription } from './actions.ts';

const call = '/rest/purchase/purchase_premium_addon';
const applyPromo = (page: Page, coupon: string) => callAs(page, '/rest/account/apply_promo', { coupon });

test('the purchase states its cost and what it replaces, at each of its addresses @narrow [PUR-01] [PUR-02] [PUR-28] [PUR-29] [PUR-30] [RT-083] [RT-090] [RT-091]', async ({
  user: page,
}) => {
  for (const address of ['/upgrade', '/upgrade#purchaseScreen', '/account/upgrade', '/account/upgrade#purchaseScreen']) {
    await page.goto('/forum');
    await page.goto(address);
    await expect(heading(page, 'Purchase Premium')).toBeVisible();
    await expect(page).toHaveURL(address);
  }
  await expect(page.getByText('$150 a year').first()).toBeVisible();
  await expect(page.getByText('Premium replaces your existing subscriptions.')).toBeVisible();
  await expect(
    page.getByText(
      'You will be charged $150 for the first year. Cancel within 30 days for a full refund. Premium renews each year at the same price, not including discounts.',
    ),
  ).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveCount(0);
  await expectAccessible(page);
});

test('the upgrade page keeps the hash: the same screens at both addresses [RT-083] [RT-088] [RT-092]', async ({ user: page }) => {
  await page.goto('/account/upgrade#thirtydaytrialScreen');
  await expect(heading(page, '7 Day Free Trial')).toBeVisible();
  await page.goto('/forum');
  await page.goto('/account/upgrade#renewScreen');
  await expect(heading(page, 'Purchase Premium again')).toBeVisible();
});

test('the card form has its fields, and Submit waits for the six of them, not for the promo code @narrow [PUR-03] [PUR-04] [PUR-06] [PUR-17] [PUR-18] [PUR-24]', async ({
  user: page,
}) => {
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await expect(page.getByText('No money moves.')).toBeVisible();
  await expectAccessible(page);
  const names = await page.locator('form input').evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')));
  expect(names).toEqual(['firstName', 'lastName', 'creditCard', 'expireMonth', 'expireYear', 'cvv', 'coupon']);
  await fillCard(page, cards.pays);
  await expect(submit(page)).toBeEnabled();
  for (const label of ['First name', 'Last name', 'Card number', 'Month', 'Year', 'CVV']) {
    const field = page.getByLabel(label);
    const typed = await field.inputValue();
    await field.fill('');
    await expect(submit(page)).toBeDisabled();
    await field.fill(typed);
    await expect(submit(page)).toBeEnabled();
  }
});

test('the amount due now is shown before the button, with the promo code deducted as it is typed or stored', async ({ user: page }) => {
  await page.goto('/upgrade');
  await expect(page.getByText('Due now: $150', { exact: true })).toBeVisible();
  await button(page, 'Continue to payment').click();
  await expect(page.getByText('Due now: $150', { exact: true })).toBeVisible();
  await page.getByLabel('Promo code').fill('SHEAF20');
  const due = page.getByText('Due now: $120 ($150 less $30 with SHEAF20)');
  await expect(due).toBeVisible();
  expect((await due.boundingBox())?.x, 'it stands in line with the fields').toBe((await page.getByLabel('Promo code').boundingBox())?.x);
  await page.getByLabel('Promo code').fill('SHEAF21');
  await expect(page.getByText('There is no such promo code.')).toBeVisible();
  await expectAccessible(page);
  await applyPromo(page, 'SHEAF20');
  await page.goto('/forum');
  await page.goto('/upgrade');
  await expect(page.getByText('Due now: $120 ($150 less $30 with SHEAF20)')).toBeVisible();
});

test('a purchase gets its token first, sends nothing else of the card, and ends with thanks [PUR-05] [PUR-08] [PUR-09] [PUR-13] [PUR-16] [PUR-23] [PUR-25] [PUR-26]', async ({
  user: page,
  sheaf,
}) => {
  const bodies: string[] = [];
  page.on('request', (request) => bodies.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await fillCard(page, cards.pays, { cvv: '7379', coupon: 'sheaf20' });
  const asked = page.waitForRequest(call);
  await page.getByLabel('CVV').press('Enter');
  const form = new URLSearchParams((await asked).postData() ?? '');
  expect(form.get('recurlyBillingToken')).toMatch(/^sandbox-success-1111-9-2095-/);
  expect([form.get('recurlyPlan'), form.get('trialState'), form.get('coupon'), form.get('track')]).toEqual([
    'premium-yearly',
    'true',
    'sheaf20',
    '',
  ]);
  await expect(heading(page, 'Thank You')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'OK').click();
  await expect(page).toHaveURL('/account/subscriptions');
  await expect(subscription(page)).toContainText('Active');
  await page.goto('/account/billing');
  await expect(page.getByRole('row').nth(1)).toContainText('$120');
  const sent = bodies.join('\n');
  for (const secret of ['4111 1111', '4111+1111', '41111111', '4111%201111', '7379']) {
    expect(reveals(sent, secret), `${secret} in a request`).toBe(false);
    expect(reveals(sheaf.log(), secret), `${secret} in the log`).toBe(false);
  }
});

/** Opens the card form of a purchase and submits that card. */
async function tryCard(page: Page, number: string): Promise<void> {
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await fillCard(page, number);
  await submit(page).click();
}

test('a declined card is reported, and another one can be typed at once [PUR-36]', async ({ user: page }) => {
  await tryCard(page, cards.declined);
  await expect(page.getByText('Your card was declined. Please use a different card.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Card number').fill(cards.pays);
  await expect(page.getByText('Your card was declined.')).toHaveCount(0);
  await submit(page).click();
  await expect(heading(page, 'Thank You')).toBeVisible();
});

test('an invalid number is a card error, found by the card service; nothing is sent [PUR-19] [PUR-21]', async ({ user: page }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await tryCard(page, '1234 5678');
  await expect(page.getByText('The card details are not valid. Please check them and try again.')).toBeVisible();
  expect(calls).not.toContain(call);
});

test('a card service that does not answer is reported as such; meanwhile nothing closes the dialog [PUR-22]', async ({ user: page }) => {
  await tryCard(page, cards.silent);
  await expect(button(page, 'Cancel')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Card number')).toBeVisible();
  await expect(page.getByText('The card service did not answer in time. Please try again.')).toBeVisible();
  await expect(button(page, 'Cancel')).toBeEnabled();
});

for (const [what, number, text, ids] of [
  [
    'not valid',
    cards.needsUpdate,
    'Your billing information is not valid. Click CONTINUE to update your billing information.',
    '[PUR-14] [PUR-31] [PUR-33]',
  ],
  [
    'out of date',
    cards.expired,
    'Your billing information is missing or out of date. Click CONTINUE to update it.',
    '[PUR-15] [PUR-32] [PUR-33]',
  ],
] as const) {
  test(`billing information that is ${what} leads to the form by CONTINUE, and the purchase goes on ${ids}`, async ({ user: page }) => {
    await tryCard(page, number);
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByLabel('Card number')).toHaveCount(0);
    await expectAccessible(page);
    await button(page, 'CONTINUE').click();
    await fillCard(page, cards.pays);
    await submit(page).click();
    await expect(heading(page, 'Thank You')).toBeVisible();
  });
}

test('an invalid promo code is reported at its field, and nothing is bought', async ({ user: page }) => {
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await fillCard(page, cards.pays, { coupon: 'NONSENSE' });
  await submit(page).click();
  await expect(page.getByText('This promo code is not valid.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/account/subscriptions');
  await expect(heading(page, 'You have no subscription')).toBeVisible();
});

test('the general payment error and an expired subscription keep their words; any other purchase code is a declined card [PUR-34] [PUR-36]', async ({
  user: page,
}) => {
  const answers = [
    { errorCode: 610, messageCode: 'PAYMENT_FAILED', message: 'The payment could not be processed. Please try again later.' },
    { errorCode: 619, messageCode: 'SOMETHING_ELSE', message: 'Something else' },
    { errorCode: 614, messageCode: 'SUBSCRIPTION_EXPIRED', message: 'Your subscription has expired.' },
  ];
  await page.route(call, (route) => route.fulfill({ status: 400, json: answers.shift() }));
  await tryCard(page, cards.pays);
  await expect(page.getByText('The payment could not be processed. Please try again later.')).toBeVisible();
  await submit(page).click();
  await expect(page.getByText('Your card was declined. Please use a different card.')).toBeVisible();
  await submit(page).click();
  await expect(page.getByText('Your subscription has expired.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Purchase again' })).toHaveAttribute('href', '/upgrade#renewScreen');
});

test('a subscriber cannot buy the same plan again [PUR-27]', async ({ user: page }) => {
  await buyPremium(page);
  await page.goto('/forum');
  await page.goto('/upgrade');
  await expect(heading(page, 'You have Premium')).toBeVisible();
  await expect(heading(page, 'Purchase Premium')).toHaveCount(0);
});

test('auto-renewal is reactivated with the stored card; no form is shown [PUR-07] [PUR-11] [PUR-13] [PUR-27] [RT-089]', async ({
  user: page,
}) => {
  await buyPremium(page);
  await button(page, 'OK').click();
  await page.getByRole('switch', { name: 'Auto-renew' }).click();
  await expect(subscription(page)).toContainText('Ends on');
  await page.getByRole('link', { name: 'Reactivate auto-renew' }).click();
  await expect(page).toHaveURL('/upgrade#autorenewScreen');
  await expect(heading(page, 'Reactivate auto-renew')).toBeVisible();
  await expect(page.getByText('ending in 1111 pays.')).toBeVisible();
  await expectAccessible(page);
  const asked = page.waitForRequest('/rest/purchase/reactivate_premium_auto_renew');
  await button(page, 'Reactivate').click();
  const form = new URLSearchParams((await asked).postData() ?? '');
  expect([form.get('recurlyPlan'), form.get('recurlyBillingToken')]).toEqual(['premium-yearly', null]);
  expect(form.get('subOid')).not.toBe('');
  await expect(heading(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
  await expect(page.getByRole('switch', { name: 'Auto-renew' })).toHaveAttribute('aria-checked', 'true');
});

test('an ended subscription cannot renew, but can be bought again [PUR-10] [PUR-35] [RT-088]', async ({ user: page }) => {
  await buyPremium(page);
  await button(page, 'OK').click();
  await button(page, 'Get a refund').click();
  await expect(page.getByRole('dialog')).toContainText('Premium ends at once');
  await expectAccessible(page);
  await button(page, 'End and refund').click();
  await expect(subscription(page)).toContainText('Refunded');
  await page.goto('/upgrade#autorenewScreen');
  await button(page, 'Reactivate').click();
  await expect(page.getByText('An expired subscription cannot be renewed automatically. Please purchase Premium again.')).toBeVisible();
  await page.getByRole('link', { name: 'Purchase again' }).click();
  await expect(page).toHaveURL('/upgrade#renewScreen');
  await expect(heading(page, 'Purchase Premium again')).toBeVisible();
  const asked = page.waitForRequest(call);
  await submit(page).click();
  await asked;
  await expect(heading(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
  await expect(subscription(page)).toContainText('Active');
});

test('a double click pays once, starts one trial, and shows one thank-you', async ({ user: page }) => {
  const made: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') made.push(new URL(request.url()).pathname);
  });
  const pressTwice = (name: string) =>
    button(page, name).evaluate((pressed: HTMLButtonElement) => {
      pressed.click();
      pressed.click();
    });
  await page.goto('/upgrade#thirtydaytrialScreen');
  await pressTwice('Get Trial');
  await expect(heading(page, 'Thank You')).toBeVisible();
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await fillCard(page, cards.pays);
  await submit(page).evaluate((pressed: HTMLButtonElement) => {
    pressed.click();
    pressed.click();
  });
  await expect(heading(page, 'Thank You')).toBeVisible();
  expect(made.filter((path) => path.startsWith('/rest/purchase/'))).toEqual(['/rest/purchase/premium_trial', call]);
});
