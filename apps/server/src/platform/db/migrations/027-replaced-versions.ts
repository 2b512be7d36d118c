import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Where transfers keep the files that they have replaced, so that an undo brings them back. */
export const replacedVersions: Migration = {
  name: '027-replaced-versions',
  async up(db) {
    await db.schema.alterTable('transferItem').addColumn('version', 'text').execute();
    await db.schema
      .createIndex('transferItem_version')
      .on('transferItem')
      .columns(['transferId', 'seq'])
      .where(sql<boolean>`version is not null`)
      .execute();
  },
};
