import type { Migration } from './migration.ts';

/** Shares: public addresses of files and folders. Deleted together with their link. */
export const weblinks: Migration = {
  name: '005-weblinks',
  async up(db) {
    await db.schema
      .createTable('weblink')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('isFolder', 'integer', (column) => column.notNull())
      .addColumn('passwordHash', 'text')
      .addColumn('expirationSeconds', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint')
      .addColumn('visits', 'bigint', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('ordinal', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('weblink_account').on('weblink').column('accountId').execute();
    await db.schema.createIndex('weblink_link').on('weblink').column('linkId').execute();
  },
};
