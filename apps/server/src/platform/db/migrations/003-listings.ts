import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Stored listings: a folder's rows are stored in the order of its default view, so that a page is one short scan. */
export const listings: Migration = {
  name: '003-listings',
  async up(db, engine) {
    // Makes Postgres compare by bytes, as SQLite does by default.
    const ordered = engine === 'postgres' ? sql`text collate "C"` : 'text';
    await db.schema
      .createTable('listing_folder')
      .addColumn('id', engine === 'postgres' ? 'bigserial' : 'integer', (column) =>
        engine === 'postgres' ? column.primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('pathKey', 'text', (column) => column.notNull())
      .addColumn('listedAt', 'bigint')
      .addColumn('fingerprint', 'text')
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('folderCount', 'integer', (column) => column.notNull())
      .addColumn('fileCount', 'integer', (column) => column.notNull())
      .addUniqueConstraint('listing_folder_path', ['linkId', 'pathKey'])
      .execute();
    const entries = db.schema
      .createTable('listing_entry')
      .addColumn('folderId', 'bigint', (column) => column.notNull().references('listing_folder.id').onDelete('cascade'))
      .addColumn('isFile', 'integer', (column) => column.notNull())
      .addColumn('sortKey', ordered, (column) => column.notNull())
      .addColumn('name', ordered, (column) => column.notNull())
      .addColumn('folded', 'text')
      .addColumn('extension', ordered, (column) => column.notNull())
      .addColumn('size', 'bigint')
      .addColumn('modified', 'bigint')
      .addColumn('etag', 'text')
      .addColumn('mimeType', 'text')
      .addPrimaryKeyConstraint('listing_entry_key', ['folderId', 'isFile', 'sortKey', 'name']);
    await (engine === 'sqlite' ? entries.modifyEnd(sql`without rowid`) : entries).execute();
    await db.schema
      .createTable('listing_change')
      .addColumn('folderId', 'bigint', (column) => column.notNull().references('listing_folder.id').onDelete('cascade'))
      .addColumn('name', ordered, (column) => column.notNull())
      .addColumn('changedAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('listing_change_key', ['folderId', 'name'])
      .execute();
  },
};
