import type { AuditAction } from '@sheaf/contract';
import type { BillingProvider, ProviderSubscription } from '#/billing/provider/provider.ts';
import type { Clock } from '#/platform/clock.ts';
import type { AuditEvent } from '#/platform/db/audit.ts';
import type { News, SendBillMail } from './send-bill-mail.ts';
import type { SubscriptionRow, SubscriptionStore } from './store.ts';
import { productOf } from './terms.ts';

const day = 86_400;
/** Seconds until an overdue step is looked up again. */
const soon = 900;
/** Lease of a subscription's lookup, in seconds. */
const leaseFor = 120;
const batch = 50;

interface Deps {
  readonly store: SubscriptionStore;
  readonly provider: BillingProvider;
  readonly sendBillMail: SendBillMail;
  readonly clock: Clock;
  readonly onTrouble: (error: unknown, what: string) => void;
}

/** A user's change, as the audit log names it. */
export interface Deed {
  readonly actorId: string;
  readonly action: AuditAction;
  readonly details?: Readonly<Record<string, string>>;
}

/** An audit event about a subscription. */
export const eventOf = (row: SubscriptionRow, at: number, deed: Partial<Deed> & Pick<Deed, 'action'>): AuditEvent => ({
  ...deed,
  accountId: row.payerId,
  subjectId: row.id,
  subjectName: productOf(row.product).name,
  at,
});

export type Settling = ReturnType<typeof createSettling>;

/** Synchronises stored subscriptions with the billing provider, where they renew, fail and end. */
export function createSettling({ store, provider, sendBillMail, clock, onTrouble }: Deps) {
  /** The subscription's state at the provider; undefined for one it does not know. */
  const look = async ({ payerId, providerId }: SubscriptionRow): Promise<ProviderSubscription | undefined> =>
    (await provider.subscriptions(payerId)).find(({ id }) => id === providerId);

  /** Stores the state seen at the provider, with the user's change or the event that happened; sends a mail unless `telling` is replaced. */
  async function reflect(
    before: SubscriptionRow,
    seen: ProviderSubscription | undefined,
    deed?: Deed,
    sendMail = sendBillMail,
  ): Promise<void> {
    const now = await provider.time();
    const isEndOfRefund = deed?.action === 'billing.refund';
    const change: Change = {
      ...(seen ? changeOf(seen, now) : { state: 'expired', autoRenew: 0, checkAt: now, leasedUntil: 0 }),
      ...(isEndOfRefund && { refundedAt: now }),
    };
    const news = newsOf(before, change);
    const events = [
      ...(deed ? [eventOf(before, clock(), deed)] : []),
      ...(news && !isEndOfRefund ? [eventOf(before, clock(), { action: actionOf[news] })] : []),
    ];
    const isOurs = await store.change(before, change, events);
    const newer = !isOurs && deed ? await store.get(before.payerId, before.id) : undefined;
    // Another instance stored a state meanwhile, which may be newer; the change still has to be stored.
    if (newer) return reflect(newer, await look(newer), deed, sendMail);
    if (isOurs && isEndOfRefund) sendMail('refunded', { ...before, ...change });
    else if (isOurs && news) sendMail(news, { ...before, ...change });
  }

  /** Looks up a subscription; one that the provider no longer knows has ended. */
  async function settleOne(row: SubscriptionRow, sendMail = sendBillMail): Promise<void> {
    return reflect(row, row.provider === '' ? undefined : await look(row), undefined, sendMail);
  }

  return {
    reflect,
    settleOne,

    /** Returns all running subscriptions of the payer, synchronised. */
    async sync(payerId: string): Promise<void> {
      const rows = (await store.list(payerId)).filter(({ state, provider: keeper }) => state !== 'expired' && keeper !== '');
      for (const row of rows) await settleOne(row);
    },

    /** Looks up everything that is due and returns the errors of failed lookups. Each subscription is looked up by one instance. */
    async settleDue(): Promise<unknown[]> {
      const errors: unknown[] = [];
      const now = await provider.time();
      for (let rows = await store.due(now, clock(), batch); rows.length > 0; rows = await store.due(now, clock(), batch)) {
        for (const row of rows) {
          const until = clock() + leaseFor;
          if (!(await store.lease(row, until))) continue;
          try {
            await settleOne({ ...row, leasedUntil: until });
          } catch (error) {
            // Its lease stays, so that it is looked up again when that expires.
            onTrouble(error, 'a subscription could not be looked at');
            errors.push(error);
          }
        }
      }
      return errors;
    },
  };
}

type Change = Partial<SubscriptionRow> & Pick<SubscriptionRow, 'state' | 'checkAt'>;

function changeOf(seen: ProviderSubscription, now: number): Change & Pick<SubscriptionRow, 'endsAt'> {
  const next = Math.min(seen.nextStepAt ?? seen.endsAt, now + day);
  return {
    state: seen.state,
    autoRenew: seen.autoRenew ? 1 : 0,
    units: seen.units,
    price: seen.price,
    endsAt: seen.endsAt,
    refundableUntil: seen.refundableUntil ?? null,
    checkAt: Math.max(next, now + soon),
    leasedUntil: 0,
  };
}

const actionOf = {
  bought: 'billing.purchase',
  renewed: 'billing.renew',
  failed: 'billing.renewFailed',
  ended: 'billing.expire',
  refunded: 'billing.refund',
} as const satisfies Readonly<Record<News, AuditAction>>;

function newsOf(before: SubscriptionRow, { state, endsAt = before.endsAt }: Change): News | undefined {
  if (state === 'expired') return before.state === 'expired' ? undefined : 'ended';
  if (state === 'pastDue') return before.state === 'pastDue' ? undefined : 'failed';
  return endsAt > before.endsAt || before.state === 'pastDue' ? 'renewed' : undefined;
}
