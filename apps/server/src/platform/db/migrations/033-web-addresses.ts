import type { Migration } from './migration.ts';

/** Addresses of the web from which transfers copy. */
export const webAddresses: Migration = {
  name: '033-web-addresses',
  async up(db) {
    await db.schema
      .createTable('webAddress')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('webAddress_account').on('webAddress').column('accountId').execute();
    await db.schema.createIndex('webAddress_age').on('webAddress').column('createdAt').execute();
  },
};
