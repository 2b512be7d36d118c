import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  applyPromo,
  cancelPremium,
  getBilling,
  getShop,
  listAudit,
  moveSandboxClock,
  products,
  purchasePremium,
  reactivatePremium,
  refundPremium,
  updateBilling,
} from '@sheaf/contract';
import { type CardOutcome, type RecurlySite, startRecurly } from '@sheaf/testbed';
import { notificationPath } from '#/billing/purchase/notifications.ts';
import { testApp } from '#/testing/app.ts';
import { mailsTo } from '#/testing/outbox.ts';
import { purchasesOf } from '#/testing/shop.ts';

const { plan } = products.premium;
const day = 86_400;

async function shopper(t: TestContext) {
  const recurly = await startRecurly();
  t.after(() => recurly.stop());
  let ahead = 0;
  const settings = {
    SHEAF_BILLING: 'recurly',
    SHEAF_RECURLY_API_KEY: recurly.apiKey,
    SHEAF_RECURLY_PUBLIC_KEY: 'ewr1-public',
    SHEAF_RECURLY_WEBHOOK_KEY: recurly.webhookKey,
    SHEAF_RECURLY_API_URL: recurly.url,
    SHEAF_RECURLY_SCRIPT_URL: `${recurly.url}/v4/recurly.js`,
  };
  const app = await testApp(t, { settings, now: () => Math.floor(Date.now() / 1000) + ahead });
  const user = await app.signUp();
  // Keeps the session alive over the years that these tests skip.
  const never = 4_000_000_000;
  await app.services.database.db.updateTable('session').set({ createdAt: never, lastSeenAt: never, expiresAt: never }).execute();
  return {
    ...app,
    recurly,
    user,
    ...purchasesOf(user),
    buy: (outcome: CardOutcome = 'approved') =>
      user.ask(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: recurly.tokenize(outcome) }),
    /** Lets days pass at Recurly and here, without a notification from Recurly. */
    pass(days: number) {
      ahead += days * day;
      recurly.moveClock(days);
    },
    async notify(...told: Parameters<typeof recurly.notify>) {
      const { body, headers } = recurly.notify(...told);
      const answer = await app.app.inject({ method: 'POST', url: notificationPath, headers, payload: body });
      await app.services.background.idle();
      return answer.statusCode;
    },
    now: () => Date.now() + ahead * 1000,
  };
}

test('the shop sends the public key and the script, and the page may load them', async (t) => {
  const { user, recurly } = await shopper(t);
  const { tokenizer } = await user.ask(getShop, {});
  assert.deepEqual(tokenizer, { mode: 'recurly', publicKey: 'ewr1-public', scriptUrl: `${recurly.url}/v4/recurly.js` });
  const policy = String((await user.inject({ method: 'GET', url: '/' })).headers['content-security-policy']);
  for (const part of ['script-src', 'connect-src', 'frame-src'])
    assert.match(policy, new RegExp(`${part}[^;]*${RegExp.escape(recurly.url)}[^;]*https://api\\.recurly\\.com`));
  assert.equal((await user.refusal(moveSandboxClock, { days: 1 })).messageCode, 'NOT_FOUND');
});

test('a purchase charges once, keeps the card, and shows bill and card', async (t) => {
  const { user, recurly, premium, buy, bills } = await shopper(t);
  assert.deepEqual(await buy(), { purchaseAccountId: user.userId });
  const { state, autoRenew, price, startedAt, endsAt, refundableUntil } = await premium();
  assert.deepEqual([state, autoRenew, price, endsAt - startedAt], ['active', true, 15_000, 365 * day]);
  assert.equal(refundableUntil, startedAt + 30 * day);
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
  const { card } = await user.ask(getBilling, {});
  assert.deepEqual(card, { holder: 'Mara Lind', brand: 'Visa', lastFour: '1111', expireMonth: 12, expireYear: 2090 });
  recurly.assertClean();
});

test("Recurly's refusals are those of the dialogs: 610 to 613, and nothing is bought", async (t) => {
  const { user, recurly, services } = await shopper(t);
  const outcomes = { declined: 613, expired: 612, invalid: 611, unavailable: 610 } as const;
  for (const [outcome, code] of Object.entries(outcomes)) {
    const recurlyBillingToken = recurly.tokenize(outcome as CardOutcome);
    assert.equal((await user.refusal(purchasePremium, { recurlyPlan: plan, recurlyBillingToken })).errorCode, code, outcome);
  }
  const refusal = async (more: object) => (await user.refusal(purchasePremium, { recurlyPlan: plan, ...more })).errorCode;
  assert.equal(await refusal({}), 612);
  assert.equal(await refusal({ recurlyBillingToken: 'spent' }), 611);
  assert.equal(await refusal({ recurlyBillingToken: recurly.tokenize('approved'), coupon: 'NOPE' }), 615);
  assert.deepEqual(await services.subscriptions.list(user.userId), []);
  recurly.assertClean();
});

test('auto-renewal is turned off and on, a purchase refunded, a promo code applied, a card replaced', async (t) => {
  const { user, recurly, premium, buy, bills } = await shopper(t);
  assert.equal((await user.refusal(applyPromo, { coupon: 'NOPE' })).errorCode, 615);
  await user.ask(applyPromo, { coupon: 'SHEAF20' });
  await buy();
  const { subOid } = await premium();
  await user.ask(cancelPremium, { subOid });
  assert.equal((await premium()).autoRenew, false);
  await user.ask(reactivatePremium, { recurlyPlan: plan, subOid });
  assert.equal((await premium()).autoRenew, true);
  await user.ask(updateBilling, { recurlyBillingToken: recurly.tokenize('approved', { lastFour: '4242' }) });
  assert.equal((await user.ask(getBilling, {})).card?.lastFour, '4242');
  await user.ask(refundPremium, { subOid });
  assert.equal((await premium()).state, 'expired');
  assert.deepEqual(await bills(), [
    [-12_000, 'refunded'],
    [12_000, 'paid'],
  ]);
  recurly.assertClean();
});

test('a promo code that ended after it was stored is refused once and then dropped', async (t) => {
  const { user, recurly, services, bills } = await shopper(t);
  await user.ask(updateBilling, { recurlyBillingToken: recurly.tokenize('approved') });
  await user.ask(applyPromo, { coupon: 'SHEAF20' });
  await services.database.db.updateTable('billing_account').set({ coupon: 'SUMMER' }).execute();
  assert.equal((await user.refusal(purchasePremium, { recurlyPlan: plan })).message, 'This promo code is not valid.');
  assert.equal((await user.ask(getBilling, {})).coupon, undefined);
  await user.ask(purchasePremium, { recurlyPlan: plan });
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
});

test('a card can be added before anything is bought', async (t) => {
  const { user, recurly, premium } = await shopper(t);
  await user.ask(updateBilling, { recurlyBillingToken: recurly.tokenize('approved') });
  await user.ask(purchasePremium, { recurlyPlan: plan });
  assert.equal((await premium()).state, 'active');
  recurly.assertClean();
});

test('a larger number of units is charged for the rest of the term', async (t) => {
  const { user, recurly, services } = await shopper(t);
  const wish = { payerId: user.userId, actorId: user.userId, product: 'org' } as const;
  await services.subscriptions.purchase({ ...wish, units: 5, token: recurly.tokenize('approved') });
  await services.subscriptions.changeUnits({ ...wish, units: 8 });
  await services.subscriptions.changeUnits({ ...wish, units: 8 });
  assert.equal(await services.subscriptions.unitsOf(user.userId), 8);
  assert.deepEqual(
    (await services.subscriptions.invoices(user.userId)).map(({ amount }) => amount),
    [36_000, 60_000],
  );
  await services.subscriptions.cancelAll(user.userId);
  assert.equal(await services.subscriptions.unitsOf(user.userId), 0);
  recurly.assertClean();
});

test('a renewal that fails is past due, is paid with a new card, and ends when nobody pays', async (t) => {
  const shop = await shopper(t);
  const { user, recurly, premium, buy, pass, services } = shop;
  await buy('renewalDeclined');
  const settled = async () => {
    await services.subscriptions.settle();
    return (await premium()).state;
  };
  pass(366);
  assert.equal(await settled(), 'pastDue');
  const { subOid } = await premium();
  assert.equal((await user.refusal(reactivatePremium, { recurlyPlan: plan, subOid })).errorCode, 613);
  await user.ask(updateBilling, { recurlyBillingToken: recurly.tokenize('approved', { year: 2028, month: 1 }) });
  assert.equal((await premium()).state, 'active');
  pass(366);
  assert.equal(await settled(), 'pastDue');
  assert.equal((await user.refusal(reactivatePremium, { recurlyPlan: plan, subOid })).errorCode, 612);
  pass(8);
  assert.equal(await settled(), 'expired');
  assert.equal((await user.refusal(reactivatePremium, { recurlyPlan: plan, subOid })).errorCode, 614);
  assert.match((await mailsTo(shop, user.email)).join('\n'), /Subject: Premium could not be renewed[^]*Subject: Premium has ended/);
  recurly.assertClean();
});

test('a signed notification makes Sheaf look; a repeated one changes nothing more', async (t) => {
  const { recurly, user, premium, buy, pass, notify, now } = await shopper(t);
  await buy();
  const [subscription] = recurly.accountOf(user.userId)?.subscriptions ?? [];
  const before = (await premium()).endsAt;
  pass(365);
  const told = { id: subscription?.id, object_type: 'subscription', event_type: 'renewed', uuid: 'x' };
  assert.equal(await notify(told, { at: now() }), 204);
  assert.equal((await premium()).endsAt, before + 365 * day);
  assert.equal(await notify(told, { at: now() }), 204);
  const [invoice] = recurly.accountOf(user.userId)?.invoices ?? [];
  assert.equal(await notify({ id: invoice?.id, object_type: 'charge_invoice', event_type: 'paid' }, { at: now() }), 204);
  assert.equal(await notify({ id: 'x', object_type: 'account', account_code: user.userId }, { at: now() }), 204);
  const { entries } = await user.ask(listAudit, { limit: 50 });
  assert.equal(entries.filter(({ action }) => action === 'billing.renew').length, 1);
  recurly.assertClean();
});

test('a forged, old, changed or malformed notification does nothing', async (t) => {
  const { app, services, recurly, user, buy, notify, now } = await shopper(t);
  await buy();
  await services.background.idle();
  const [subscription] = recurly.accountOf(user.userId)?.subscriptions ?? [];
  recurly.reset();
  const told = { id: subscription?.id, object_type: 'subscription' };
  assert.equal(await notify(told, { key: 'another', at: now() }), 401);
  assert.equal(await notify(told, { at: now() - 301_000 }), 401);
  const { headers, body } = recurly.notify(told, { at: now() });
  const send = (payload: string, more: Readonly<Record<string, string>>) =>
    app.inject({ method: 'POST', url: notificationPath, headers: { 'content-type': 'application/json', ...more }, payload });
  assert.equal((await send(`${body} `, headers)).statusCode, 401);
  assert.equal((await send(body, {})).statusCode, 401);
  assert.equal((await send(body, { 'recurly-signature': `${now()},` })).statusCode, 401);
  assert.equal(await notify(['x'], { at: now() }), 204);
  assert.equal(recurly.requests.length, 0);
});

test('without Recurly the address of its notifications does not exist', async (t) => {
  const { app } = await testApp(t);
  assert.equal((await app.inject({ method: 'POST', url: notificationPath, payload: '{}' })).statusCode, 404);
});

test('a request that Recurly turns away for the moment is retried with the same key, and charged once', async (t) => {
  const { recurly, buy, bills } = await shopper(t);
  recurly.faults.next('POST /purchases', 1, { kind: 'reply', reply: { status: 503, json: {} } });
  recurly.faults.next('POST /purchases', 1, { kind: 'lost' });
  await buy();
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
  assert.equal(recurly.requests.filter(({ operation }) => operation === 'POST /purchases').length, 3);
  recurly.assertClean();
});

test('a purchase whose answer was lost is found by the next attempt, not charged again', async (t) => {
  const { recurly, user, buy, bills, premium, pass } = await shopper(t);
  recurly.faults.next('POST /purchases', 3, { kind: 'lost' });
  await assert.rejects(buy(), /610/);
  // The purchase may still be under way at Recurly.
  await assert.rejects(buy(), /PURCHASE_UNDER_WAY/);
  pass(1);
  await buy();
  assert.equal((await premium()).state, 'active');
  assert.deepEqual(await bills(), [[15_000, 'paid']]);
  assert.equal(recurly.accountOf(user.userId)?.subscriptions.length, 1);
});

const busy = { status: 429, json: { error: { type: 'rate_limited', message: 'Too many requests' } } };
for (const { when, fail } of [
  {
    when: 'whose answer is lost before Recurly is too busy for more',
    fail: ({ faults }: RecurlySite) => {
      faults.next('POST /purchases', 1, { kind: 'lost' });
      faults.next('POST /purchases', 2, { kind: 'reply', reply: busy });
    },
  },
  {
    when: 'after which Recurly is too busy to show it',
    fail: ({ faults }: RecurlySite) => faults.next('GET /accounts/{account_id}/subscriptions', 3, { kind: 'reply', reply: busy }),
  },
])
  test(`a purchase ${when} is found by the next attempt, not charged again`, async (t) => {
    const { recurly, user, buy, bills, pass } = await shopper(t);
    fail(recurly);
    await assert.rejects(buy(), /610/);
    await assert.rejects(buy(), /PURCHASE_UNDER_WAY/);
    pass(1);
    await buy();
    assert.deepEqual(await bills(), [[15_000, 'paid']]);
    assert.equal(recurly.accountOf(user.userId)?.subscriptions.length, 1);
  });

test('card testing is limited: after twenty cards in an hour a wait applies, whoever pays', async (t) => {
  const { recurly, user, services } = await shopper(t);
  const wish = { payerId: user.userId, actorId: user.userId } as const;
  const attempt = () => services.subscriptions.updateCard({ ...wish, token: recurly.tokenize('declined') });
  for (let count = 0; count < 20; count += 1) await assert.rejects(attempt(), { messageCode: 'CARD_DECLINED' });
  await assert.rejects(attempt(), { messageCode: 'TOO_MANY_TRIES' });
  const refusal = await user.refusal(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: recurly.tokenize('approved') });
  assert.equal(refusal.messageCode, 'TOO_MANY_TRIES');
});

test('neither keys nor tokens are logged', async (t) => {
  const { recurly, user, buy, log } = await shopper(t);
  const token = recurly.tokenize('declined');
  await user.refusal(purchasePremium, { recurlyPlan: plan, recurlyBillingToken: token });
  await buy();
  for (const secret of [token, recurly.apiKey, recurly.webhookKey]) assert.ok(!log().includes(secret));
});
