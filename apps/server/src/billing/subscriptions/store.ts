import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type SubscriptionRow = Database['subscription'];
type BillingAccountRow = Database['billing_account'];

/** The recipient of mails about a payer's subscriptions: the person, or the owner of the organisation. */
export interface Addressee {
  readonly kind: string;
  readonly name: string;
  readonly email: string;
  /** The organisation's name, or the person's own. */
  readonly payerName: string;
}

/** Store of subscriptions and their payers. Ignores those of another billing provider than `provider`. */
export function createSubscriptionStore(db: Db, provider: string) {
  const own = () => db.selectFrom('subscription').selectAll().where('provider', 'in', ['', provider]);
  return {
    /** Newest first. */
    list: (payerId: string): Promise<SubscriptionRow[]> =>
      own().where('payerId', '=', payerId).orderBy('startedAt', 'desc').orderBy('endsAt', 'desc').execute(),
    /** The running one, or else the latest. */
    find: (payerId: string, product: string): Promise<SubscriptionRow | undefined> =>
      own()
        .where('payerId', '=', payerId)
        .where('product', '=', product)
        .orderBy((order) => order.case().when('state', '=', 'expired').then(1).else(0).end())
        .orderBy('startedAt', 'desc')
        .orderBy('endsAt', 'desc')
        .limit(1)
        .executeTakeFirst(),
    get: (payerId: string, id: string): Promise<SubscriptionRow | undefined> =>
      own().where('payerId', '=', payerId).where('id', '=', id).executeTakeFirst(),

    /** Whether there ever was one, with any provider. */
    async hasHad(payerId: string, product: string): Promise<boolean> {
      const row = await db
        .selectFrom('subscription')
        .select('id')
        .where('payerId', '=', payerId)
        .where('product', '=', product)
        .executeTakeFirst();
      return row !== undefined;
    },

    async ownsOrg(accountId: string): Promise<boolean> {
      const row = await db
        .selectFrom('org_member')
        .select('id')
        .where('accountId', '=', accountId)
        .where('role', '=', 'owner')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Starts a trial; false when the payer has had the product. */
    startTrial: (row: SubscriptionRow, event: AuditEvent): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const added = await transaction
          .insertInto('subscription')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!added) return false;
        await recordAudit(transaction, event);
        return true;
      }),

    /** Stores a change of a subscription; false when another change was stored since it was read. */
    change: (before: SubscriptionRow, change: Partial<SubscriptionRow>, events: readonly AuditEvent[]): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('subscription')
          .set(change)
          .where('id', '=', before.id)
          .where('state', '=', before.state)
          .where('endsAt', '=', before.endsAt)
          .where('units', '=', before.units)
          .where('autoRenew', '=', before.autoRenew)
          .returning('id')
          .executeTakeFirst();
        if (!changed) return false;
        for (const event of events) await recordAudit(transaction, event);
        return true;
      }),

    /** Subscriptions due for a lookup. `clock` is the real time, for leases. */
    due: (now: number, clock: number, limit: number): Promise<SubscriptionRow[]> =>
      own()
        .where('state', '<>', 'expired')
        .where('checkAt', '<=', now)
        .where('leasedUntil', '<=', clock)
        .orderBy('checkAt')
        .limit(limit)
        .execute(),
    /** Takes the lease; false when another instance has it. */
    async lease({ id, leasedUntil }: SubscriptionRow, until: number): Promise<boolean> {
      const leased = await db
        .updateTable('subscription')
        .set({ leasedUntil: until })
        .where('id', '=', id)
        .where('leasedUntil', '=', leasedUntil)
        .returning('id')
        .executeTakeFirst();
      return leased !== undefined;
    },

    account: (payerId: string): Promise<BillingAccountRow | undefined> =>
      db.selectFrom('billing_account').selectAll().where('payerId', '=', payerId).where('provider', '=', provider).executeTakeFirst(),
    async keepCoupon(payerId: string, coupon: string): Promise<void> {
      await db
        .insertInto('billing_account')
        .values({ payerId, provider, purchaseAccountId: null, coupon })
        .onConflict((conflict) => conflict.columns(['payerId', 'provider']).doUpdateSet({ coupon }))
        .execute();
    },
    async dropCoupon(payerId: string, coupon: string): Promise<void> {
      const query = db.updateTable('billing_account').set({ coupon: null }).where('payerId', '=', payerId);
      await query.where('provider', '=', provider).where('coupon', '=', coupon).execute();
    },
    keepAccount: (payerId: string, event: AuditEvent): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('billing_account')
          .values({ payerId, provider, purchaseAccountId: payerId, coupon: null })
          .onConflict((conflict) => conflict.columns(['payerId', 'provider']).doUpdateSet({ purchaseAccountId: payerId }))
          .execute();
        await recordAudit(transaction, event);
      }),

    async addressee(payerId: string): Promise<Addressee | undefined> {
      const payer = await db.selectFrom('account').select(['kind', 'name', 'email']).where('id', '=', payerId).executeTakeFirst();
      if (!payer || payer.kind === 'person') return payer && { ...payer, payerName: payer.name };
      const owner = await db
        .selectFrom('org_member')
        .innerJoin('account', 'account.id', 'org_member.accountId')
        .select(['account.name', 'account.email'])
        .where('org_member.orgId', '=', payerId)
        .where('org_member.role', '=', 'owner')
        .executeTakeFirst();
      return owner && { ...owner, kind: payer.kind, payerName: payer.name };
    },
    findAtProvider: (providerId: string): Promise<SubscriptionRow | undefined> =>
      own().where('providerId', '=', providerId).executeTakeFirst(),
    /** The payer of an account at the provider; undefined for an unknown account. */
    async payerOf(purchaseAccountId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('billing_account')
        .select('payerId')
        .where('provider', '=', provider)
        .where('purchaseAccountId', '=', purchaseAccountId)
        .executeTakeFirst();
      return row?.payerId;
    },
  };
}
export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;
