import type { Migration } from './migration.ts';

/** Accounts that are being closed. */
export const closing: Migration = {
  name: '010-closing',
  async up(db) {
    await db.schema.alterTable('account').addColumn('closesAt', 'bigint').execute();
    await db.schema.alterTable('account').addColumn('closingLease', 'bigint').execute();
    await db.schema.createIndex('account_closes').on('account').column('closesAt').execute();
  },
};
