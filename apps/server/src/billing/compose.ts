import type { Platform } from '#/platform/compose.ts';
import { createBilling } from './provider/billing.ts';
import { createPurchases } from './purchase/service.ts';
import { included } from './subscriptions/included.ts';
import { createPurchaseStore } from './subscriptions/purchase-store.ts';
import { createSubscriptions } from './subscriptions/service.ts';
import { createSubscriptionStore } from './subscriptions/store.ts';

/** Builds billing and subscriptions; without a billing provider every feature is included. Calls `premiumEnded` for accounts that lose Premium. */
export async function composeBilling(
  { config, publicUrl, log, now, newId, db, background, mailer, throttle }: Platform,
  premiumEnded: (accountId: string) => void,
) {
  const billing = await createBilling(config, { db, newId, now });
  const subscriptions = billing
    ? createSubscriptions({
        store: createSubscriptionStore(db, billing.provider.mode),
        purchaseStore: createPurchaseStore(db, billing.provider.mode),
        provider: billing.provider,
        mailer,
        publicUrl,
        later: background.start,
        newId,
        throttle,
        clock: now,
        onTrouble: (error, what) => log.error({ err: error }, what),
        premiumEnded,
      })
    : included;
  return { billing, subscriptions };
}

type PurchaseDeps = Parameters<typeof createPurchases>[0];

/** Builds purchases; other areas supply who may try an organisation and who is the operator. */
export const composePurchases = ({
  billing,
  ...deps
}: Awaited<ReturnType<typeof composeBilling>> & Pick<PurchaseDeps, 'mayTryOrg' | 'isOperator'>) =>
  createPurchases({ ...deps, sandbox: billing?.sandbox });
