import type { Migration } from './migration.ts';

/** Encrypted folders, and whether their root is shown among the links. */
export const encryption: Migration = {
  name: '011-encryption',
  async up(db) {
    await db.schema
      .createTable('encryption_folder')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('linkId', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('encryption_folder_place', ['linkId', 'path'])
      .execute();
    await db.schema.createIndex('encryption_folder_account').on('encryption_folder').column('accountId').execute();
    await db.schema
      .createTable('encryption_setting')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('rootView', 'integer', (column) => column.notNull())
      .execute();
  },
};
