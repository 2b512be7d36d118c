import type { Migration } from './migration.ts';

/** How much accounts may have, as operators say. */
export const limits: Migration = {
  name: '096-limits',
  async up(db) {
    await db.schema
      .createTable('limitRule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('most', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('limitRule_account').on('limitRule').column('accountId').execute();
  },
};
