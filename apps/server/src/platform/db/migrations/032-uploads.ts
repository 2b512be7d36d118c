import type { Migration } from './migration.ts';

/** Uploads that clients continue after an interruption. */
export const uploads: Migration = {
  name: '032-uploads',
  async up(db) {
    await db.schema
      .createTable('upload')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('parentLinkUri', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('conflict', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('modified', 'bigint')
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('session', 'text')
      .addColumn('parts', 'text')
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('run', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .addColumn('doneAt', 'bigint')
      .execute();
    await db.schema.createIndex('upload_account').on('upload').columns(['accountId', 'createdAt']).execute();
    await db.schema.createIndex('upload_expiry').on('upload').column('expiresAt').execute();
  },
};
