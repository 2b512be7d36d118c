import type { Page } from '@playwright/test';
import { test as base, expect, expectAccessible, sheafOf } from '../../fixtures/test.ts';
import { newVault, unlock, vaultsAddress } from '../../fixtures/vaults.ts';
import { button, cards, fillCard, heading, submit, subscription } from './actions.ts';

/** A separate server, because its billing clock is global. */
const test = base.extend({ sheaf: sheafOf() });

const notice = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^(?:Premium trial|Upgrade to)/ });

/** Moves the clock of the billing sandbox on its page, which only operators may use. */
async function move(page: Page, ...steps: readonly string[]): Promise<void> {
  await page.goto('/operator/billing');
  for (const step of steps) {
    const answered = page.waitForResponse('/rest/operator/sandbox_clock');
    await button(page, `${step} forward`).click();
    expect((await answered).ok()).toBe(true);
    await expect(page.getByText('In the sandbox it is now')).toBeVisible();
    await expect(button(page, `${step} forward`)).toBeEnabled();
  }
}

test('the notice in the bar: an offer, the days of a trial, its last day, the offer again, and nothing with Premium @narrow [NAV-12] [NAV-13] [NAV-14] [NAV-15] [NAV-16] [NAV-17]', async ({
  user: page,
}) => {
  await page.goto('/forum');
  await expect(notice(page)).toHaveAccessibleName('Upgrade to Premium');
  await expect(notice(page).locator('svg')).toBeVisible();
  await notice(page).click();
  await expect(page).toHaveURL('/account/upgrade');
  await page.goto('/upgrade#thirtydaytrialScreen');
  await button(page, 'Get Trial').click();
  await button(page, 'OK').click();
  await expect(notice(page)).toHaveAccessibleName('Premium trial expires in 7 days');
  await move(page, 'A day');
  await expect(notice(page)).toHaveAccessibleName('Premium trial expires in 6 days');
  await move(page, 'A day', 'A day', 'A day', 'A day', 'A day');
  await expect(notice(page)).toHaveAccessibleName('Premium trial expires today');
  await move(page, 'A day');
  await expect(notice(page)).toHaveAccessibleName('Upgrade to Premium');
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await fillCard(page, cards.pays);
  await submit(page).click();
  await expect(heading(page, 'Thank You')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

test('trial, purchase, a renewal that fails, another card, a renewal that fails for good, the end, and Premium again [TRI-18] [PUR-10] [PUR-12] [PUR-15] [PUR-35]', async ({
  user: page,
}) => {
  test.setTimeout(120_000);
  await page.goto('/upgrade#thirtydaytrialScreen');
  await button(page, 'Get Trial').click();
  await button(page, 'OK').click();
  await page.getByRole('link', { name: 'Purchase Premium' }).click();
  await button(page, 'Continue to payment').click();
  await fillCard(page, cards.declinedLater);
  await submit(page).click();
  await button(page, 'OK').click();
  await expect(subscription(page)).toContainText('Active');

  await move(page, 'A year', 'A day');
  await page.goto('/account/subscriptions');
  await expect(subscription(page)).toContainText('Payment failed');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Change billing' }).click();
  await fillCard(page, cards.pays);
  await button(page, 'Save').click();
  await button(page, 'OK').click();
  await expect(page).toHaveURL('/account/subscriptions');
  await expect(subscription(page)).toContainText('Active');
  await page.goto('/account/billing');
  await expect(page.getByRole('table', { name: 'Bills' }).getByRole('row')).toHaveCount(3);

  await page.getByRole('link', { name: 'Change billing' }).click();
  await fillCard(page, cards.pays, { until: new Date(Date.now() + 425 * 86_400_000) });
  await button(page, 'Save').click();
  await button(page, 'OK').click();
  await move(page, 'A year', 'A day');
  await page.goto('/account/subscriptions');
  await expect(subscription(page)).toContainText('Payment failed');
  await page.goto('/upgrade');
  await expect(heading(page, 'The last payment failed')).toBeVisible();
  await move(page, 'A week');
  await page.goto('/account/subscriptions');
  await expect(subscription(page)).toContainText('Expired');

  await page.goto('/upgrade#autorenewScreen');
  await button(page, 'Reactivate').click();
  await expect(page.getByText('An expired subscription cannot be renewed automatically.')).toBeVisible();
  await page.getByRole('link', { name: 'Purchase again' }).click();
  await submit(page).click();
  await expect(page.getByText('Your billing information is missing or out of date. Click CONTINUE to update it.')).toBeVisible();
  await button(page, 'CONTINUE').click();
  await fillCard(page, cards.pays);
  await submit(page).click();
  await expect(heading(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
  await expect(subscription(page)).toContainText('Active');
});

test('a vault that was made during the trial is listed, opened and filled after its end; another one needs Premium', async ({
  owner: page,
}) => {
  test.setTimeout(120_000);
  const passphrase = 'kept beyond the trial 41';
  await page.goto('/upgrade#thirtydaytrialScreen');
  await button(page, 'Get Trial').click();
  await button(page, 'OK').click();
  await newVault(page, { name: 'Letters', passphrase });
  await unlock(page, 'Letters', passphrase);
  const put = async (name: string): Promise<void> => {
    await page.getByLabel('Files to upload').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`content of ${name}`) });
    await expect(button(page, `Menu of ${name}`)).toBeVisible();
  };
  await put('before.txt');
  await move(page, '30 days');
  await expect(notice(page)).toHaveAccessibleName('Upgrade to Premium');

  await page.goto(vaultsAddress);
  await expect(page.getByRole('link', { name: 'Get Premium' })).toBeVisible();
  await expect(button(page, 'New vault')).toHaveCount(0);
  await unlock(page, 'Letters', passphrase);
  await put('after.txt');
  await button(page, 'before.txt').click();
  await expect(page.getByRole('dialog').locator('pre')).toHaveText('content of before.txt');
});

test('the page of the sandbox’s clock lists the test cards and fits a narrow window @narrow', async ({ user: page }) => {
  await page.goto('/operator/billing');
  await expect(heading(page, 'Billing sandbox')).toBeVisible();
  for (const number of Object.values(cards)) await expect(page.getByText(number)).toBeVisible();
  await expectAccessible(page);
});
