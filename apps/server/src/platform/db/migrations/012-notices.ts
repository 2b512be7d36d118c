import type { Migration } from './migration.ts';

/** Automatic mails: about links that need attention, and about trials that end. */
export const notices: Migration = {
  name: '012-notices',
  async up(db) {
    await db.schema
      .createTable('link_notice')
      .addColumn('linkId', 'text', (column) => column.primaryKey().references('link.id').onDelete('cascade'))
      .addColumn('since', 'bigint')
      .addColumn('toldAt', 'bigint')
      .execute();
    await db.schema
      .createTable('trial_notice')
      .addColumn('subscriptionId', 'text', (column) => column.notNull().references('subscription.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('toldAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('trial_notice_once', ['subscriptionId', 'kind'])
      .execute();
    await db.schema
      .createTable('notice_setting')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('links', 'integer', (column) => column.notNull())
      .execute();
  },
};
