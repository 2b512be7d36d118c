import { expect, expectAccessible, signUp, test } from '../../fixtures/test.ts';
import { button, buyPremium, cards, fillCard, heading, subscription } from './actions.ts';

test('the subscriptions page offers trial and purchase, then lists the subscriptions and how they renew @narrow [ACC-21] [RT-080]', async ({
  user: page,
}) => {
  await page.goto('/account/subscriptions');
  await expect(heading(page, 'You have no subscription')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try free for 7 days' })).toHaveAttribute('href', '/upgrade#thirtydaytrialScreen');
  await expect(page.getByRole('link', { name: 'Purchase Premium' })).toHaveAttribute('href', '/upgrade#purchaseScreen');
  await expectAccessible(page);
  await buyPremium(page);
  await button(page, 'OK').click();
  await expect(subscription(page)).toContainText('Premium');
  await expect(subscription(page)).toContainText('Renews on');
  await expectAccessible(page);
  const renewal = page.getByRole('switch', { name: 'Auto-renew' });
  await renewal.click();
  await expect(renewal).toHaveAttribute('aria-checked', 'false');
  await expect(subscription(page)).toContainText('Ends on');
  await expect(page.getByText('Until then you may turn auto-renew on again.')).toBeVisible();
  await renewal.click();
  await expect(renewal).toHaveAttribute('aria-checked', 'true');
  await expect(subscription(page)).toContainText('Renews on');
});

test('the billing page lists the bills with receipts, and the card that pays @narrow [ACC-17] [RT-081]', async ({ user: page }) => {
  await page.goto('/account/billing');
  await expect(page.getByText('There are no bills yet.')).toBeVisible();
  await expect(page.getByText('There is no card yet.')).toBeVisible();
  await expectAccessible(page);
  await buyPremium(page);
  await page.goto('/account/billing');
  const bill = page.getByRole('table', { name: 'Bills' }).getByRole('row').nth(1);
  await expect(bill).toContainText('Premium');
  await expect(bill).toContainText('$150');
  await expect(page.getByText(/ending in 1111/)).toBeVisible();
  await expectAccessible(page);
  const [receipt] = await Promise.all([page.waitForEvent('popup'), bill.getByRole('link', { name: /^Receipt of/ }).click()]);
  await expect(receipt.getByText('$150').first()).toBeVisible();
});

test('the promo link opens the promo code; an empty one changes nothing, a wrong one is reported, a valid one is stored [ACC-18] [RT-082]', async ({
  user: page,
}) => {
  await page.goto('/account/billing#applyPromoScreen');
  const dialog = page.getByRole('dialog', { name: 'Apply promo code' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Apply').click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/account/billing');
  await page.getByRole('link', { name: 'Apply promo code' }).click();
  await page.getByRole('textbox', { name: 'Promo code' }).fill('NONSENSE');
  await page.getByRole('textbox', { name: 'Promo code' }).press('Enter');
  await expect(page.getByText('This promo code is not valid.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Promo code' }).fill('SHEAF20');
  await button(page, 'Apply').click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('SHEAF20 waits for your next purchase.')).toBeVisible();
  await page.getByRole('link', { name: 'Apply promo code' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await buyPremium(page);
  await page.goto('/account/billing');
  await expect(page.getByRole('row').nth(1)).toContainText('$120');
});

test('the promo link also works via sign-in [RT-082]', async ({ page, account }) => {
  await signUp(page, account);
  await page.context().clearCookies();
  await page.goto('/account/billing#applyPromoScreen');
  await expect(page).toHaveURL(/^[^#]*\/login\/start\?/);
  await page.getByRole('link', { name: 'Email' }).click();
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/account/billing#applyPromoScreen');
  await expect(page.getByRole('dialog', { name: 'Apply promo code' })).toBeVisible();
});

test('changing the billing replaces the card and returns to the billing page [ACC-19] [ACC-20] [PUR-08] [PUR-12] [PUR-13]', async ({
  user: page,
}) => {
  await buyPremium(page);
  await page.goto('/account/billing');
  await page.getByRole('link', { name: 'Change billing' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change billing' });
  await expect(dialog.getByLabel('Card number')).toBeVisible();
  await expect(dialog.getByLabel('Promo code')).toHaveCount(0);
  await expectAccessible(page);
  await fillCard(page, cards.declinedLater);
  const asked = page.waitForRequest('/rest/account/updatebilling');
  await button(page, 'Save').click();
  const form = new URLSearchParams((await asked).postData() ?? '');
  expect([...form.keys()].toSorted()).toEqual(['rTag', 'recurlyBillingToken']);
  await expect(page.getByRole('dialog', { name: 'Thank You' })).toBeVisible();
  await button(page, 'OK').click();
  await expect(page).toHaveURL('/account/billing');
  await expect(page.getByText(/ending in 0341/)).toBeVisible();
});

test('a billing update for encryption returns to the encrypted folders, where the purchase is confirmed [PUR-37] [RT-066]', async ({
  user: page,
}) => {
  const returnUrl = '/account/mysheaf?catid=encryption&confirmPurchase=true';
  await buyPremium(page);
  await button(page, 'OK').click();
  await button(page, 'Get a refund').click();
  await button(page, 'End and refund').click();
  await expect(subscription(page)).toContainText('Refunded');
  await page.goto(returnUrl);
  const purchase = page.getByRole('dialog', { name: 'Purchase Premium' });
  await expect(purchase).toContainText('ending in 1111 pays.');
  await purchase.getByRole('link', { name: 'Use another card' }).click();
  await fillCard(page, cards.declinedLater);
  await button(page, 'Save').click();
  await button(page, 'OK').click();
  await expect(page).toHaveURL(returnUrl);
  await expect(purchase).toContainText('ending in 0341 pays.');
});

for (const [path, title, use, id] of [
  ['/add-ons/backup', 'Backup', 'Get the desktop client', '[RT-084]'],
  ['/add-ons/spaces', 'Spaces', 'Go to my spaces', '[RT-085]'],
] as const) {
  test(`${path} says what ${title} is for and leads to Premium and to the trial @narrow ${id}`, async ({ user: page }) => {
    await page.goto(path);
    await expect(heading(page, title)).toBeVisible();
    await expect(page.getByText(`Premium includes ${title}.`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get Premium' })).toHaveAttribute('href', /^\/upgrade\?.*#purchaseScreen$/);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Try free for 7 days' }).click();
    await button(page, 'Get Trial').click();
    await button(page, 'OK').click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('link', { name: use })).toBeVisible();
  });
}

test('a page of the shop that cannot be loaded says so and can be retried', async ({ user: page }) => {
  let isDown = true;
  await page.route('/rest/account/subscriptions', (route) => (isDown ? route.abort() : route.continue()));
  await page.goto('/account/subscriptions');
  await expect(heading(page, 'Your subscriptions cannot be shown')).toBeVisible();
  isDown = false;
  await button(page, 'Try again').click();
  await expect(heading(page, 'You have no subscription')).toBeVisible();
});

test('the profile page is reached at its address [RT-079]', async ({ user: page }) => {
  await page.goto('/account/profile');
  await expect(heading(page, 'Profile')).toBeVisible();
});
