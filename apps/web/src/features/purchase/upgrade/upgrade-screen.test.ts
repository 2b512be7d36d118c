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

test('the hash selects the screen; without one, or with any other, it is the purchase', () => {
  assert.deepEqual(
    ['renewScreen', 'autorenewScreen', 'purchaseScreen', 'thirtydaytrialScreen', '', 'constructor', 'anything'].map(screenOf),
    ['repurchase', 'reactiveautorenew', 'purchase', 'trial', 'purchase', 'purchase', 'purchase'],
  );
});

test('a plan that is already owned is not sold again, and only a purchased one can renew', () => {
  assert.equal(obstacleTo('purchase', undefined, false), undefined);
  assert.equal(obstacleTo('purchase', { ...subscription, state: 'trial' }, false), undefined);
  assert.equal(obstacleTo('purchase', subscription, true), 'owned');
  assert.equal(obstacleTo('repurchase', { ...subscription, state: 'pastDue' }, true), 'pastDue');
  assert.equal(obstacleTo('repurchase', { ...subscription, state: 'expired' }, true), undefined);
  assert.equal(obstacleTo('reactiveautorenew', undefined, false), 'nothingToRenew');
  assert.equal(obstacleTo('reactiveautorenew', subscription, true), 'renewing');
  assert.equal(obstacleTo('reactiveautorenew', { ...subscription, autoRenew: false }, true), undefined);
  assert.equal(
    obstacleTo('reactiveautorenew', { ...subscription, state: 'expired' }, true),
    undefined,
    'the server says that it has expired',
  );
  assert.equal(obstacleTo('reactiveautorenew', { ...subscription, state: 'expired' }, false), 'nothingToRenew', 'a trial that has ended');
});
