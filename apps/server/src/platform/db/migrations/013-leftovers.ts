import type { Migration } from './migration.ts';

/** Uploads under way, so that the remains of broken ones are removed from their sources. */
export const leftovers: Migration = {
  name: '013-leftovers',
  async up(db) {
    await db.schema
      .createTable('leftover')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('begunAt', 'bigint', (column) => column.notNull())
      .addColumn('dueAt', 'bigint', (column) => column.notNull())
      .execute();
  },
};
