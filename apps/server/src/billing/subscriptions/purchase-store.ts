import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { SubscriptionRow } from './store.ts';

export type IntentRow = Database['purchase_intent'];

/** Store of purchases under way. */
export function createPurchaseStore(db: Db, provider: string) {
  return {
    /** Stores the intent of a purchase; undefined while another one of the same payer and product is under way. */
    async beginPurchase(row: IntentRow): Promise<IntentRow | undefined> {
      return db
        .insertInto('purchase_intent')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
    },
    intent: (payerId: string, product: string): Promise<IntentRow | undefined> =>
      db.selectFrom('purchase_intent').selectAll().where('payerId', '=', payerId).where('product', '=', product).executeTakeFirst(),
    /** Purchases whose lease has expired. */
    abandoned: (clock: number): Promise<IntentRow[]> =>
      db.selectFrom('purchase_intent').selectAll().where('provider', '=', provider).where('leasedUntil', '<=', clock).execute(),
    /** Takes over the lease of an abandoned purchase; false when another instance has. */
    async takeOver({ id, leasedUntil }: IntentRow, until: number): Promise<boolean> {
      const taken = await db
        .updateTable('purchase_intent')
        .set({ leasedUntil: until })
        .where('id', '=', id)
        .where('leasedUntil', '=', leasedUntil)
        .returning('id')
        .executeTakeFirst();
      return taken !== undefined;
    },
    async leaveIntent(id: string, leasedUntil: number): Promise<void> {
      await db.updateTable('purchase_intent').set({ leasedUntil }).where('id', '=', id).execute();
    },
    async dropIntent(id: string): Promise<void> {
      await db.deleteFrom('purchase_intent').where('id', '=', id).execute();
    },

    /** Completes a purchase: replaces the old subscription and deletes the intent. False when it was completed already. */
    endPurchase: (intentId: string, row: SubscriptionRow, event: AuditEvent): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('purchase_intent').where('id', '=', intentId).execute();
        const known = await transaction
          .selectFrom('subscription')
          .select('id')
          .where('provider', '=', row.provider)
          .where('providerId', '=', row.providerId)
          .executeTakeFirst();
        if (known) return false;
        await transaction
          .updateTable('subscription')
          .set({ state: 'expired', autoRenew: 0, endsAt: row.startedAt })
          .where('payerId', '=', row.payerId)
          .where('product', '=', row.product)
          .where('state', '<>', 'expired')
          .execute();
        await transaction.insertInto('subscription').values(row).execute();
        const account = { payerId: row.payerId, provider: row.provider, purchaseAccountId: row.payerId, coupon: null };
        await transaction
          .insertInto('billing_account')
          .values(account)
          .onConflict((conflict) => conflict.columns(['payerId', 'provider']).doUpdateSet({ purchaseAccountId: row.payerId, coupon: null }))
          .execute();
        await recordAudit(transaction, event);
        return true;
      }),
  };
}
export type PurchaseStore = ReturnType<typeof createPurchaseStore>;
