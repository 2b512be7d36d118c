import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call, PurchaseState } from '@sheaf/contract';
import type { send } from '#/lib/http/send.ts';
import { premiumInputs, replaceNotice, termsOf } from './purchase-inputs.ts';
import { type Payment, submitPurchase } from './submission.ts';

/** Path and payload of a state's submission. */
async function sentFor(purchaseState: PurchaseState, payment: Payment, subOid?: string): Promise<readonly [string, object]> {
  const sent: [string, object][] = [];
  const record = ((call: Call, payload: object) => {
    sent.push([call.path, payload]);
    return Promise.resolve({});
  }) as unknown as typeof send;
  await submitPurchase(premiumInputs(purchaseState, subOid === undefined ? {} : { subOid }), payment, record);
  assert.ok(sent[0] && sent.length === 1);
  return sent[0];
}

const payment = { token: 'token-1', track: '' };

test('purchase and repurchase buy Premium, with the promo code as "coupon" [PUR-09] [PUR-10] [PUR-16] [PUR-26]', async () => {
  for (const state of ['purchase', 'repurchase'] as const) {
    assert.deepEqual(await sentFor(state, { ...payment, coupon: 'SHEAF20', track: 'autumn' }), [
      '/rest/purchase/purchase_premium_addon',
      { recurlyBillingToken: 'token-1', recurlyPlan: 'premium-yearly', trialState: true, track: 'autumn', coupon: 'SHEAF20' },
    ]);
    assert.deepEqual(await sentFor(state, { track: '' }), [
      '/rest/purchase/purchase_premium_addon',
      { recurlyPlan: 'premium-yearly', trialState: true, track: '' },
    ]);
  }
});

test('reactivating names the subscription [PUR-11]', async () => {
  assert.deepEqual(await sentFor('reactiveautorenew', payment, 'sub-1'), [
    '/rest/purchase/reactivate_premium_auto_renew',
    { recurlyBillingToken: 'token-1', recurlyPlan: 'premium-yearly', subOid: 'sub-1', track: '' },
  ]);
});

test('a billing update sends the token only [PUR-12]', async () => {
  assert.deepEqual(await sentFor('updateBilling', payment), ['/rest/account/updatebilling', { recurlyBillingToken: 'token-1' }]);
});

test('the inputs and the terms come from the table of products [PUR-25] [PUR-28] [PUR-29] [PUR-30] [PUR-02]', () => {
  const inputs = premiumInputs('purchase');
  assert.deepEqual(inputs, {
    recurlyPlan: 'premium-yearly',
    productPrice: '$150',
    productName: 'Premium',
    productTerm: 'year',
    subOid: '',
    trialState: true,
    purchaseState: 'purchase',
  });
  assert.equal(
    termsOf(inputs),
    'You will be charged $150 for the first year. Cancel within 30 days for a full refund. Premium renews each year at the same price, not including discounts.',
  );
  assert.equal(replaceNotice(inputs), 'Premium replaces your existing subscriptions.');
});
