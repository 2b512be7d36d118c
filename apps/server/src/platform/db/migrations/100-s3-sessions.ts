import type { Migration } from './migration.ts';

/** Uploads in parts over S3 that use the storage's own parts: the sealed session of the upload, and what the storage confirmed each part with. */
export const s3Sessions: Migration = {
  name: '100-s3-sessions',
  async up(db) {
    await db.schema.alterTable('s3_upload').addColumn('session', 'text').execute();
    await db.schema.alterTable('s3_part').addColumn('receipt', 'text').execute();
  },
};
