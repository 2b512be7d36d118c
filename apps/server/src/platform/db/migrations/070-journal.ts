import type { Migration } from './migration.ts';

/**
 * What changes of items were before, how they are undone, and for how long bins keep what was deleted. The rows of a link have no foreign key: there may be
 * hundreds of thousands, and a sweep deletes them slice by slice once their link is gone.
 */
export const journal: Migration = {
  name: '070-journal',
  async up(db) {
    await db.schema
      .createTable('journal')
      .addColumn('linkId', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.notNull())
      .addColumn('undoId', 'text', (column) => column.notNull())
      .addColumn('viaLinkId', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('toPath', 'text')
      .addColumn('isFolder', 'integer', (column) => column.notNull())
      .addColumn('size', 'bigint')
      .addColumn('modified', 'bigint')
      .addColumn('etag', 'text')
      .addColumn('bin', 'text')
      .addColumn('binId', 'text')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('journal_key', ['linkId', 'id'])
      .execute();
    await db.schema.createIndex('journal_undo').on('journal').columns(['accountId', 'undoId', 'id']).execute();
    await db.schema.createIndex('journal_bin').on('journal').columns(['linkId', 'bin', 'createdAt']).execute();
    await db.schema.createIndex('journal_expiry').on('journal').column('expiresAt').execute();
    await db.schema
      .createTable('binSetting')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('days', 'integer', (column) => column.notNull())
      .execute();
  },
};
