import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Call,
  applyPromo,
  cancelPremium,
  getBilling,
  getQuote,
  getReceipt,
  getSession,
  getShop,
  listSubscriptions,
  moveSandboxClock,
  premiumTrial,
  products,
  purchasePremium,
  reactivatePremium,
  refundPremium,
  updateBilling,
} from '@sheaf/contract';
import { mailAbout } from '#/testing/outbox.ts';
import { codeOf, shopper, start, tokenOf } from '#/testing/shop.ts';

const { plan, trialDays } = products.premium;

test('the trial needs no card, lasts 7 days, and reports its days left [API-60] [TRI-18] [TRI-09] [NAV-15]', async (t) => {
  const { user, days, premium } = await shopper(t);
  assert.equal((await user.ask(getShop, {})).trialEligible, true);
  await user.ask(premiumTrial, { trialDays, track: 'newsletter' });
  const { upgradeState, expirationDays } = await user.ask(getSession, {});
  assert.deepEqual([upgradeState, expirationDays], ['trial', 7]);
  const { state, endsAt, startedAt } = await premium();
  assert.deepEqual([state, endsAt - startedAt], ['trial', 7 * 86_400]);
  await days(6);
  assert.equal((await user.ask(getSession, {})).expirationDays, 1);
  await days(1);
  assert.equal((await user.ask(getSession, {})).upgradeState, 'upgrade');
});

test('an account that has had a trial or Premium is not eligible for another trial [TRI-15] [TRI-16] [ERR-11]', async (t) => {
  const { user, days, buy, signUp, services } = await shopper(t);
  await user.ask(premiumTrial, { trialDays });
  assert.equal(await codeOf(user, premiumTrial, { trialDays }), 124);
  await days(8);
  const refusal = await user.refusal(premiumTrial, { trialDays });
  assert.deepEqual([refusal.errorCode, refusal.message], [124, 'Your account is not eligible for this subscription.']);
  assert.equal((await user.ask(getShop, {})).trialEligible, false);
  await buy();
  const other = await signUp();
  await other.ask(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf('success') });
  assert.equal(await codeOf(other, premiumTrial, { trialDays }), 124);
  assert.equal((await services.subscriptions.list(other.userId)).length, 1);
});

test('of trials started at the same time only one starts', async (t) => {
  const { user, services } = await shopper(t);
  const answers = await Promise.all(Array.from({ length: 5 }, () => user.send(premiumTrial, { trialDays })));
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 403, 403, 403, 403],
  );
  assert.equal((await services.subscriptions.list(user.userId)).length, 1);
});

test('a trial of other than 7 days and another plan are refused', async (t) => {
  const { user } = await shopper(t);
  assert.equal(await codeOf(user, premiumTrial, { trialDays: 365 }), 107);
  assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: 'gold', recurlyBillingToken: tokenOf('success') }), 107);
});

test('a purchase charges the first year, returns the purchasing account and sends a receipt [API-61] [PUR-27] [PUR-28]', async (t) => {
  const shop = await shopper(t);
  const { user, buy, premium, bills } = shop;
  assert.equal((await user.ask(getShop, {})).purchaseAccountId, undefined);
  const { purchaseAccountId } = await buy();
  assert.equal((await user.ask(getShop, {})).purchaseAccountId, purchaseAccountId);
  const { state, autoRenew, price, endsAt, refundableUntil } = await premium();
  assert.deepEqual([state, autoRenew, price], ['active', true, 15_000]);
  assert.equal(endsAt, Date.UTC(2028, 0, 10, 12) / 1000);
  assert.equal(refundableUntil, start + 30 * 86_400);
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
  assert.equal((await user.ask(getSession, {})).upgradeState, '');
  const { card } = await user.ask(getBilling, {});
  assert.deepEqual(card, { holder: 'Mara Lind', brand: 'Visa', lastFour: '1111', expireMonth: 12, expireYear: 2040 });
  await mailAbout(shop, user.email, /Premium is yours until 10 January 2028\. You paid \$150\./);
});

test('a purchase during the trial ends it and starts the year at once; the known card needs no token [PUR-07]', async (t) => {
  const { user, buy, premium, days, actions } = await shopper(t);
  await user.ask(premiumTrial, { trialDays });
  await days(3);
  await buy();
  assert.equal((await premium()).startedAt, start + 3 * 86_400);
  assert.equal((await user.ask(listSubscriptions, {})).subscriptions.length, 2);
  await user.ask(refundPremium, { subOid: (await premium()).subOid });
  await user.ask(purchasePremium, { recurlyPlan: plan });
  assert.equal((await premium()).state, 'active');
  assert.deepEqual((await actions()).toReversed(), ['billing.trial', 'billing.purchase', 'billing.refund', 'billing.purchase']);
});

test('the amount due is shown before a purchase, with the promo code deducted, and is the amount charged', async (t) => {
  const { user, bills } = await shopper(t);
  const quote = (coupon?: string, product: 'premium' | 'org' = 'premium', units = 1) =>
    user.ask(getQuote, { product, units, ...(coupon !== undefined && { coupon }) });
  assert.deepEqual(await quote(), { price: 15_000, discount: 0, due: 15_000, currency: 'USD' });
  assert.deepEqual(await quote(' sheaf20 '), { price: 15_000, discount: 3_000, due: 12_000, currency: 'USD', coupon: 'sheaf20' });
  assert.deepEqual(await quote('SHEAF20', 'org', 3), { price: 36_000, discount: 7_200, due: 28_800, currency: 'USD', coupon: 'SHEAF20' });
  assert.equal(await codeOf(user, getQuote, { product: 'premium', units: 1, coupon: 'toString' }), 615);
  await user.ask(applyPromo, { coupon: 'SHEAF20' });
  assert.equal((await quote()).due, 12_000);
  assert.equal((await quote(undefined, 'org', 2)).due, 24_000);
  await user.ask(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf('success') });
  assert.deepEqual(await bills(), [[12_000, 'paid']]);
});

test('a refunded subscription is shown as refunded, with the day; one that only ended is not', async (t) => {
  const { user, buy, premium, days } = await shopper(t);
  await buy();
  await days(2);
  assert.equal((await premium()).refundedAt, undefined);
  await user.ask(refundPremium, { subOid: (await premium()).subOid });
  const { state, refundedAt } = await premium();
  assert.deepEqual([state, refundedAt], ['expired', start + 2 * 86_400]);
});

test('each card is answered as its bank would: 610 to 613, and nothing is bought [ERR-27] [ERR-28] [ERR-29] [PUR-36]', async (t) => {
  const { user, services } = await shopper(t);
  for (const [outcome, code] of [
    ['declined', 613],
    ['expired', 612],
    ['needsUpdate', 611],
  ] as const) {
    assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf(outcome) }), code, outcome);
  }
  assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: plan }), 612);
  assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf('success', '2026') }), 612);
  assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: plan, recurlyBillingToken: '4111111111111111' }), 611);
  const timedOut = tokenOf('success').replace('-success-', '-timeout-');
  assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: plan, recurlyBillingToken: timedOut }), 610);
  assert.deepEqual(await services.subscriptions.list(user.userId), []);
  assert.deepEqual((await user.ask(getBilling, {})).invoices, []);
  assert.equal((await user.ask(getSession, {})).upgradeState, 'upgrade');
});

test('a token is accepted once (611)', async (t) => {
  const { user, buy, premium } = await shopper(t);
  const token = tokenOf('success');
  await buy({ recurlyBillingToken: token });
  await user.ask(refundPremium, { subOid: (await premium()).subOid });
  assert.equal(await codeOf(user, purchasePremium, { recurlyPlan: plan, recurlyBillingToken: token }), 611);
});

test('Premium is bought once: a second purchase and one at the same time are refused and charge nothing', async (t) => {
  const { user, buy, bills } = await shopper(t);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => user.send(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: tokenOf('success') })),
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 409, 409, 409],
  );
  await assert.rejects(buy());
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
});

test("another user's subscription and receipt can be neither changed nor read", async (t) => {
  const { user, buy, premium, signUp, state } = await shopper(t);
  await buy();
  const eve = await signUp();
  const { subOid } = await premium();
  for (const call of [cancelPremium, refundPremium]) assert.equal(await codeOf(eve, call, { subOid }), 107);
  assert.equal(await codeOf(eve, reactivatePremium, { recurlyPlan: plan, subOid }), 107);
  const [bill] = (await user.ask(getBilling, {})).invoices;
  const receipt = await user.inject({ method: 'GET', url: bill?.receiptUrl ?? '' });
  assert.match(receipt.body, /<h1>Sheaf receipt<\/h1>.*Mara.*\$150.*no money has moved/);
  assert.equal((await eve.inject({ method: 'GET', url: bill?.receiptUrl ?? '' })).statusCode, 404);
  assert.equal((await eve.send(getReceipt, { invoiceId: bill?.invoiceId ?? '' })).statusCode, 404);
  assert.equal(await state(), 'active');
});

test('the clock of the sandbox is moved only by operators, and only forward', async (t) => {
  const { user, signUp, visitor } = await shopper(t, { SHEAF_OPERATORS: 'boss@example.org' });
  assert.equal((await user.refusal(moveSandboxClock, { days: 1 })).messageCode, 'NOT_OPERATOR');
  assert.equal((await visitor().refusal(moveSandboxClock, { days: 1 })).errorCode, 104);
  const boss = await signUp('boss@example.org');
  assert.equal((await boss.refusal(moveSandboxClock, { days: 1 })).messageCode, 'NOT_OPERATOR');
});

test('with billing off everything is included, there is no shop, and no call buys anything', async (t) => {
  const { user } = await shopper(t, { SHEAF_BILLING: 'off' });
  assert.deepEqual(await user.ask(getShop, {}), { tokenizer: { mode: 'off' }, trialEligible: false, orgTrialEligible: false });
  assert.equal((await user.ask(getSession, {})).upgradeState, '');
  assert.deepEqual((await user.ask(listSubscriptions, {})).subscriptions, []);
  for (const [call, input] of [
    [premiumTrial, { trialDays }],
    [purchasePremium, { recurlyPlan: plan }],
    [reactivatePremium, { recurlyPlan: plan, subOid: 'x' }],
    [cancelPremium, { subOid: 'x' }],
    [refundPremium, { subOid: 'x' }],
    [updateBilling, { recurlyBillingToken: 'x' }],
    [applyPromo, { coupon: 'SHEAF20' }],
    [moveSandboxClock, { days: 1 }],
  ] as const)
    assert.equal((await user.refusal<Call>(call, input)).messageCode, 'NOT_FOUND', call.path);
});

test('a call that moves money needs the rTag of a browser session', async (t) => {
  const { user, visitor } = await shopper(t);
  for (const call of [
    premiumTrial,
    purchasePremium,
    reactivatePremium,
    cancelPremium,
    refundPremium,
    updateBilling,
    applyPromo,
  ] as Call[]) {
    assert.equal((await visitor().refusal(call, { rTag: 'x' })).errorCode, 104, call.path);
    assert.equal((await user.refusal(call, { rTag: 'wrong' })).errorCode, 104, call.path);
  }
});

test('no card number, token or security code is logged or stored [PUR-23]', async (t) => {
  const { user, buy, log, services } = await shopper(t);
  const number = '4111111111111111';
  const token = tokenOf('success');
  await buy({ recurlyBillingToken: token });
  await user.refusal(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: number });
  await user.refusal(updateBilling, { recurlyBillingToken: number });
  const rows = await services.database.db.selectFrom('sandbox_account').selectAll().execute();
  const written = log() + JSON.stringify(rows);
  assert.ok(!written.includes(number) && !log().includes(token));
});
