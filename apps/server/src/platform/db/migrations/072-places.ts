import type { Migration } from './migration.ts';

/** Pins, recently used items, and the order of links in the menu. */
export const places: Migration = {
  name: '072-places',
  async up(db) {
    await db.schema
      .createTable('place')
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('pathKey', 'text', (column) => column.notNull())
      .addColumn('isFolder', 'integer', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('place_key', ['accountId', 'kind', 'linkId', 'pathKey'])
      .execute();
    // Unlinking finds its rows without a scan.
    await db.schema.createIndex('place_link').on('place').column('linkId').execute();
    await db.schema
      .createTable('link_order')
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_order_key', ['accountId', 'linkId'])
      .execute();
    await db.schema.createIndex('link_order_link').on('link_order').column('linkId').execute();
  },
};
