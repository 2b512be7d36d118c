import assert from 'node:assert/strict';
import { test } from 'node:test';
import { products } from '@sheaf/contract';
import type { BillingProvider, ProviderSubscription } from '#/billing/provider/provider.ts';
import { testApp } from '#/testing/app.ts';
import { createBuying } from './buying.ts';
import { createPurchaseStore } from './purchase-store.ts';
import { createSettling } from './settling.ts';
import { createSubscriptionStore } from './store.ts';

const at = 1_800_000_000;
const { plan, price, currency } = products.premium;

test('a purchase that checked before another one began, and starts after that has ended, charges nothing', async (t) => {
  const { services, signUp } = await testApp(t);
  const { userId } = await signUp();
  const { db } = services.database;
  const sold: ProviderSubscription[] = [];
  // Sells everything that is asked for, as Recurly may.
  const provider = {
    mode: 'recurly',
    time: async () => at,
    subscriptions: async () => sold,
    async purchase({ key: id }: { key: string }) {
      const terms = { plan, units: 1, price, currency, startedAt: at, endsAt: at + 365 * 86_400 };
      const one: ProviderSubscription = { id, state: 'active', autoRenew: true, ...terms };
      sold.push(one);
      return one;
    },
  } as unknown as BillingProvider;
  const store = createSubscriptionStore(db, 'recurly');
  let count = 0;
  const rest = {
    provider,
    purchaseStore: createPurchaseStore(db, 'recurly'),
    sendBillMail: () => undefined,
    newId: () => `id-${++count}`,
    clock: () => at,
    onTrouble: assert.ifError,
  };
  const buying = (from: typeof store) => createBuying({ ...rest, store: from, settling: createSettling({ ...rest, store: from }) });
  const wish = { payerId: userId, actorId: userId, product: 'premium', units: 1 } as const;
  let isFirstLook = true;
  const slow = buying({
    ...store,
    async find(payerId, product) {
      const seen = await store.find(payerId, product);
      if (isFirstLook) await buying(store).purchase(wish);
      isFirstLook = false;
      return seen;
    },
  });
  await assert.rejects(slow.purchase(wish), { messageCode: 'ALREADY_SUBSCRIBED' });
  assert.equal(sold.length, 1);
  assert.deepEqual(await db.selectFrom('purchase_intent').selectAll().execute(), []);
});
