import type { Migration } from './migration.ts';

/** Locks and dead properties of WebDAV. Paths may be longer than an index allows, so that their hashes are the keys. */
export const dav: Migration = {
  name: '051-dav',
  async up(db) {
    await db.schema
      .createTable('dav_lock')
      .addColumn('token', 'text', (column) => column.primaryKey())
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('isShared', 'integer', (column) => column.notNull())
      .addColumn('isDeep', 'integer', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('seconds', 'integer', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('dav_lock_link').on('dav_lock').columns(['linkId', 'expiresAt']).execute();
    await db.schema.createIndex('dav_lock_account').on('dav_lock').column('accountId').execute();
    await db.schema
      .createTable('dav_property')
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('pathHash', 'text', (column) => column.notNull())
      .addColumn('nameHash', 'text', (column) => column.notNull())
      .addColumn('folderHash', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('space', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('dav_property_key', ['linkId', 'pathHash', 'nameHash'])
      .execute();
    await db.schema.createIndex('dav_property_folder').on('dav_property').columns(['linkId', 'folderHash']).execute();
  },
};
