import { type Locator, type Page, expect } from '@playwright/test';

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
/** The Submit button of the card form for a purchase. */
export const submit = (page: Page): Locator => button(page, 'Purchase');

/** Test cards of the sandbox, by outcome. */
export const cards = {
  pays: '4111 1111 1111 1111',
  declined: '4000 0000 0000 0002',
  expired: '4000 0000 0000 0069',
  needsUpdate: '4000 0000 0000 0127',
  declinedLater: '4000 0000 0000 0341',
  silent: '4000 0000 0000 0119',
} as const;

/** Valid for longer than any test moves the clock. */
const longAway = new Date(Date.UTC(2095, 8));

/** Types a card into the form; it is valid through the month of `until`. */
export async function fillCard(page: Page, number: string, { cvv = '737', coupon = '', until = longAway } = {}): Promise<void> {
  await page.getByLabel('First name').fill('Mara');
  await page.getByLabel('Last name').fill('Halm');
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Month').fill(String(until.getUTCMonth() + 1));
  await page.getByLabel('Year').fill(String(until.getUTCFullYear()));
  await page.getByLabel('CVV').fill(cvv);
  if (coupon !== '') await page.getByLabel('Promo code').fill(coupon);
}

/** Buys Premium with that card, up to the thank-you screen. */
export async function buyPremium(page: Page, number: string = cards.pays, more: { coupon?: string } = {}): Promise<void> {
  await page.goto('/upgrade#purchaseScreen');
  await button(page, 'Continue to payment').click();
  await fillCard(page, number, more);
  await submit(page).click();
  await expect(heading(page, 'Thank You')).toBeVisible();
}

/** The row of a subscription in the list. */
export const subscription = (page: Page): Locator => page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem').first();
