import type { Migration } from './migration.ts';

/** Shares of several items. */
export const sharesOfSeveral: Migration = {
  name: '087-shares-of-several',
  async up(db) {
    await db.schema
      .alterTable('weblink')
      .addColumn('itemCount', 'bigint', (column) => column.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createTable('weblinkItem')
      .addColumn('weblinkId', 'text', (column) => column.notNull().references('weblink.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('isFolder', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('weblinkItem_key', ['weblinkId', 'name'])
      .execute();
    await db.schema.createIndex('weblinkItem_link').on('weblinkItem').column('linkId').execute();
  },
};
