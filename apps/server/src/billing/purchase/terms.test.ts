import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyPromo,
  cancelPremium,
  getBilling,
  getSession,
  premiumTrial,
  products,
  purchasePremium,
  reactivatePremium,
  refundPremium,
  updateBilling,
} from '@sheaf/contract';
import { mailsTo } from '#/testing/outbox.ts';
import { codeOf, shopper, tokenOf } from '#/testing/shop.ts';

const { plan, trialDays } = products.premium;
const year = 365;

test('a promo code lowers the first charge only, given with the purchase or kept before it [PUR-26] [ACC-18]', async (t) => {
  const { buy, days, bills, signUp } = await shopper(t);
  await buy({ coupon: 'sheaf20' });
  await days(year);
  assert.deepEqual(await bills(), [
    [15_000, 'paid'],
    [12_000, 'paid'],
  ]);
  const other = await signUp();
  await other.ask(applyPromo, { coupon: 'SHEAF100' });
  assert.equal((await other.ask(getBilling, {})).coupon, 'SHEAF100');
  await other.ask(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf('success') });
  const billing = await other.ask(getBilling, {});
  assert.deepEqual([billing.coupon, billing.invoices[0]?.amount], [undefined, 0]);
});

test('an unknown promo code is refused and nothing is bought', async (t) => {
  const { user, services } = await shopper(t);
  for (const coupon of ['NOPE', '', 'constructor']) {
    const refusal = await user.refusal(applyPromo, { coupon });
    assert.deepEqual([refusal.errorCode, refusal.message], [615, 'This promo code is not valid.']);
  }
  assert.equal(
    await codeOf(user, purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf('success'), coupon: 'constructor' }),
    615,
  );
  assert.deepEqual(await services.subscriptions.list(user.userId), []);
});

test('a trial that has ended cannot be reactivated: Premium must be purchased (614) [PUR-35]', async (t) => {
  const { user, premium, days } = await shopper(t);
  await user.ask(premiumTrial, { trialDays });
  const { subOid } = await premium();
  const wish = { recurlyPlan: plan, subOid, recurlyBillingToken: tokenOf('success') };
  assert.equal(await codeOf(user, reactivatePremium, wish), 107, 'it still runs, and never renews');
  await days(8);
  assert.equal((await user.refusal(reactivatePremium, wish)).messageCode, 'EXPIRED_CANNOT_RENEW');
  assert.equal((await user.refusal(refundPremium, { subOid })).messageCode, 'SUBSCRIPTION_EXPIRED');
  assert.equal(await codeOf(user, reactivatePremium, { ...wish, subOid: 'unknown' }), 107);
});

test('trial, purchase, renewal, failing card (611, 612), new card, end (614), purchase again [API-62] [API-63] [ERR-30] [PUR-34] [PUR-35]', async (t) => {
  const shop = await shopper(t);
  const { user, buy, premium, state, days, bills, actions } = shop;
  await user.ask(premiumTrial, { trialDays });
  await days(8);
  assert.equal(await state(), 'expired');
  await buy({ recurlyBillingToken: tokenOf('success', '2028') });

  await days(year);
  assert.equal(await state(), 'active');
  assert.deepEqual(
    await bills(),
    Array.from({ length: 2 }, () => [15_000, 'paid']),
  );
  assert.equal((await premium()).refundableUntil, undefined);

  // The card expires at the end of 2028, before the second renewal in January 2029.
  await days(year + 1);
  assert.equal(await state(), 'pastDue');
  assert.equal((await user.ask(getSession, {})).upgradeState, '');
  const { subOid } = await premium();
  const outdated = await user.refusal(reactivatePremium, { recurlyPlan: plan, subOid });
  assert.deepEqual([outdated.errorCode, outdated.message.endsWith('Click CONTINUE to update it.')], [612, true]);
  const invalid = await user.refusal(reactivatePremium, { recurlyPlan: plan, subOid, recurlyBillingToken: 'worn' });
  assert.deepEqual([invalid.errorCode, invalid.message.endsWith('Click CONTINUE to update your billing information.')], [611, true]);
  assert.equal(await codeOf(user, updateBilling, { recurlyBillingToken: tokenOf('declined') }), 613);
  assert.deepEqual((await bills())[0], [15_000, 'failed']);
  assert.equal(await codeOf(user, updateBilling, { recurlyBillingToken: tokenOf('renewalDeclined') }), 613);
  await user.ask(updateBilling, { recurlyBillingToken: tokenOf('success', '2029') });
  assert.equal(await state(), 'active');
  assert.deepEqual(
    await bills(),
    Array.from({ length: 3 }, () => [15_000, 'paid']),
  );

  await days(year);
  assert.equal(await state(), 'pastDue');
  await days(8);
  assert.equal(await state(), 'expired');
  assert.equal((await user.ask(getSession, {})).upgradeState, 'upgrade');
  const ended = await user.refusal(reactivatePremium, { recurlyPlan: plan, subOid });
  assert.deepEqual(
    [ended.errorCode, ended.message],
    [614, 'An expired subscription cannot be renewed automatically. Please purchase Premium again.'],
  );
  const over = await user.refusal(cancelPremium, { subOid });
  assert.deepEqual([over.errorCode, over.message], [614, 'Your subscription has expired.']);

  await buy();
  assert.equal(await state(), 'active');
  assert.deepEqual(
    (await actions()).toReversed(),
    ['trial', 'expire', 'purchase', 'renew', 'renewFailed', 'card', 'renew', 'renewFailed', 'expire', 'purchase'].map(
      (one) => `billing.${one}`,
    ),
  );
  const mails = (await mailsTo(shop, user.email)).join('\n');
  for (const subject of ['The trial of Premium has ended', 'Premium was renewed', 'Premium could not be renewed', 'Premium has ended'])
    assert.ok(mails.includes(`Subject: ${subject}`), subject);
});

test('auto-renewal is turned off and on again; when off, Premium ends with its term and nothing more is charged', async (t) => {
  const { user, buy, premium, state, days, bills } = await shopper(t);
  await buy();
  const { subOid } = await premium();
  await user.ask(cancelPremium, { subOid });
  assert.equal((await premium()).autoRenew, false);
  await user.ask(reactivatePremium, { recurlyPlan: plan, subOid, track: '' });
  assert.equal((await premium()).autoRenew, true);
  await user.ask(cancelPremium, { subOid });
  await days(year - 1);
  assert.equal(await state(), 'active');
  await days(1);
  assert.equal(await state(), 'expired');
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
});

test('within 30 days the first charge is refunded in full and Premium ends at once; later it is not [PUR-29]', async (t) => {
  const { user, buy, premium, state, days, bills } = await shopper(t);
  await buy({ coupon: 'SHEAF20' });
  await days(29);
  await user.ask(refundPremium, { subOid: (await premium()).subOid });
  assert.equal(await state(), 'expired');
  assert.deepEqual(await bills(), [
    [-12_000, 'refunded'],
    [12_000, 'paid'],
  ]);
  await buy();
  const { subOid } = await premium();
  await days(30);
  assert.equal((await user.refusal(refundPremium, { subOid })).messageCode, 'NOT_REFUNDABLE');
  assert.equal(await state(), 'active');
});
