import assert from 'node:assert/strict';
import { test } from 'node:test';
import { products } from '@sheaf/contract';
import type { BillingProvider, ProviderSubscription } from '#/billing/provider/provider.ts';
import { testApp } from '#/testing/app.ts';
import { createSettling } from './settling.ts';
import { createSubscriptionStore } from './store.ts';

const at = 1_800_000_000;

test('of two concurrent changes the one written last keeps what the other has changed', async (t) => {
  const { services, signUp } = await testApp(t);
  const { userId: payerId } = await signUp();
  const { db } = services.database;
  const store = createSubscriptionStore(db, 'recurly');
  const { price, currency, plan } = products.org;
  const endsAt = at + 300 * 86_400;
  const terms = { price, currency, startedAt: at, endsAt };
  const row = { ...terms, id: 'one', payerId, product: 'org', provider: 'recurly', providerId: 'sold', state: 'active' };
  await db
    .insertInto('subscription')
    .values({ ...row, autoRenew: 1, units: 10, refundableUntil: null, checkAt: at, leasedUntil: 0 })
    .execute();
  const sold = (units: number, autoRenew: boolean): ProviderSubscription => ({
    ...terms,
    id: 'sold',
    plan,
    state: 'active',
    units,
    autoRenew,
  });
  const provider = { time: async () => at, subscriptions: async () => [sold(15, false)] } as unknown as BillingProvider;
  const settling = createSettling({ store, provider, sendBillMail: () => undefined, clock: () => at, onTrouble: assert.ifError });
  const before = await store.get(payerId, 'one');
  assert.ok(before);
  // Turns renewal off, then adds members; the answer to the first change arrives later.
  await settling.reflect(before, sold(15, false), { actorId: payerId, action: 'billing.units', details: { units: '15' } });
  await settling.reflect(before, sold(10, false), { actorId: payerId, action: 'billing.autoRenew', details: { state: 'off' } });
  const after = await store.get(payerId, 'one');
  assert.deepEqual([after?.units, after?.autoRenew], [15, 0]);
  const logged = await db.selectFrom('audit_event').select('action').where('action', 'like', 'billing%').orderBy('id').execute();
  assert.deepEqual(
    logged.map(({ action }) => action),
    ['billing.units', 'billing.autoRenew'],
  );
});
