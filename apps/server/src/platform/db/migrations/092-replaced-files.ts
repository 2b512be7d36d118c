import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Files that were replaced: what a bin holds of them, those whose replacement has not ended, and the uploads that replaced them. */
export const replacedFiles: Migration = {
  name: '092-replaced-files',
  async up(db) {
    await db.schema.alterTable('journal').addColumn('binSize', 'bigint').execute();
    await db.schema
      .createIndex('journal_replacing')
      .on('journal')
      .columns(['linkId', 'createdAt'])
      .where(sql<boolean>`kind = 'replace' and state = 'begun'`)
      .execute();
    await db.schema.alterTable('upload').addColumn('undoId', 'text').execute();
  },
};
