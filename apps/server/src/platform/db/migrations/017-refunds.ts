import type { Migration } from './migration.ts';

/** When a subscription was refunded: its state is then "refunded", not "expired". */
export const refunds: Migration = {
  name: '017-refunds',
  async up(db) {
    await db.schema.alterTable('subscription').addColumn('refundedAt', 'bigint').execute();
  },
};
