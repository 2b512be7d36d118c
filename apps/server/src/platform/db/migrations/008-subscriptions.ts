import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Trials and purchases, which replace a column of the account; the billing sandbox. */
export const subscriptions: Migration = {
  name: '008-subscriptions',
  async up(db) {
    await db.schema
      .createTable('subscription')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('payerId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('product', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('providerId', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('autoRenew', 'integer', (column) => column.notNull())
      .addColumn('units', 'integer', (column) => column.notNull())
      .addColumn('price', 'integer', (column) => column.notNull())
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('startedAt', 'bigint', (column) => column.notNull())
      .addColumn('endsAt', 'bigint', (column) => column.notNull())
      .addColumn('refundableUntil', 'bigint')
      .addColumn('checkAt', 'bigint', (column) => column.notNull())
      .addColumn('leasedUntil', 'bigint', (column) => column.notNull().defaultTo(0))
      .addUniqueConstraint('subscription_at_provider', ['provider', 'providerId'])
      .execute();
    await db.schema
      .createIndex('subscription_running')
      .unique()
      .on('subscription')
      .columns(['payerId', 'product'])
      .where(sql.ref('state'), '<>', sql.lit('expired'))
      .execute();
    await db.schema.createIndex('subscription_payer').on('subscription').column('payerId').execute();
    await db.schema.createIndex('subscription_due').on('subscription').column('checkAt').execute();
    await db.schema
      .createTable('billing_account')
      .addColumn('payerId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('purchaseAccountId', 'text')
      .addColumn('coupon', 'text')
      .addPrimaryKeyConstraint('billing_account_key', ['payerId', 'provider'])
      .addUniqueConstraint('billing_account_at_provider', ['provider', 'purchaseAccountId'])
      .execute();
    await db.schema
      .createTable('purchase_intent')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('payerId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('actorId', 'text', (column) => column.notNull())
      .addColumn('product', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('leasedUntil', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('purchase_intent_once', ['payerId', 'product'])
      .execute();

    await db.schema
      .createTable('sandbox_account')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('sandbox_clock')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('ahead', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into sandbox_clock (id, ahead) values (1, 0)`.execute(db);

    // Keeps running trials; Premium without billing was only a column and needs no row.
    await sql`
      insert into subscription (id, "payerId", product, provider, "providerId", state, "autoRenew", units, price, currency, "startedAt", "endsAt", "refundableUntil", "checkAt")
      select 'trial-' || id, id, 'premium', '', null, 'trial', 0, 1, 15000, 'USD', "trialEndsAt" - 604800, "trialEndsAt", null, "trialEndsAt"
      from account where "upgradeState" = 'trial' and "trialEndsAt" is not null`.execute(db);
    await db.schema.alterTable('account').dropColumn('upgradeState').execute();
    await db.schema.alterTable('account').dropColumn('trialEndsAt').execute();
  },
};
