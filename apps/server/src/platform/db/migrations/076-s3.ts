import type { Migration } from './migration.ts';

/**
 * What S3 remembers of objects, and uploads in parts. Objects of a deleted link are deleted slice by slice, as they may be many; paths may be longer than
 * an index allows, so that their hashes are the keys.
 */
export const s3: Migration = {
  name: '076-s3',
  async up(db) {
    await db.schema
      .createTable('s3_object')
      .addColumn('linkId', 'text', (column) => column.notNull())
      .addColumn('pathHash', 'text', (column) => column.notNull())
      .addColumn('etag', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint')
      .addColumn('modified', 'bigint')
      .addColumn('sourceTag', 'text')
      .addColumn('meta', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('s3_object_key', ['linkId', 'pathHash'])
      .execute();
    await db.schema
      .createTable('s3_upload')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('userLinkId', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('folder', 'text', (column) => column.notNull())
      .addColumn('meta', 'text', (column) => column.notNull())
      .addColumn('etag', 'text')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('s3_upload_account').on('s3_upload').columns(['accountId', 'userLinkId']).execute();
    await db.schema.createIndex('s3_upload_created').on('s3_upload').column('createdAt').execute();
    await db.schema
      .createTable('s3_part')
      .addColumn('uploadId', 'text', (column) => column.notNull().references('s3_upload.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('etag', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('s3_part_key', ['uploadId', 'number'])
      .execute();
  },
};
