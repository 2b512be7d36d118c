import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subscription } from '@sheaf/contract';
import { obstacleTo, screenOf } from './upgrade-screen.ts';

const subscription: Subscription = {
  subOid: 'sub-1',
  product: 'premium',
  name: 'Premium',
  plan: 'premium-yearly',
  state: 'active',
  autoRenew: true,
  units: 1,
  price: 15_000,
  currency: 'USD',
  startedAt: 0,
  endsAt: 1,
};

test('the hash names the screen; none, and any other, is the purchase', () => {
  assert.deepEqual(
    ['renewScreen', 'autorenewScreen', 'purchaseScreen', 'thirtydaytrialScreen', '', 'constructor', 'anything'].map(screenOf),
    ['repurchase', 'reactiveautorenew', 'purchase', 'trial', 'purchase', 'purchase', 'purchase'],
  );
});

test('what is there already is not sold again, and only what was bought can renew', () => {
  assert.equal(obstacleTo('purchase', undefined), undefined);
  assert.equal(obstacleTo('purchase', { ...subscription, state: 'trial' }), undefined);
  assert.equal(obstacleTo('purchase', subscription), 'owned');
  assert.equal(obstacleTo('repurchase', { ...subscription, state: 'pastDue' }), 'pastDue');
  assert.equal(obstacleTo('repurchase', { ...subscription, state: 'expired' }), undefined);
  assert.equal(obstacleTo('reactiveautorenew', undefined), 'nothingToRenew');
  assert.equal(obstacleTo('reactiveautorenew', subscription), 'renewing');
  assert.equal(obstacleTo('reactiveautorenew', { ...subscription, autoRenew: false }), undefined);
  assert.equal(obstacleTo('reactiveautorenew', { ...subscription, state: 'expired' }), undefined, 'the server says that it has expired');
});
