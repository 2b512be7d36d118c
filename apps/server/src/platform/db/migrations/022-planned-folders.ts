import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Items of a planned folder, and folders that were planned from stored listings. */
export const plannedFolders: Migration = {
  name: '022-planned-folders',
  async up(db) {
    await db.schema.createIndex('transferItem_parent').on('transferItem').columns(['transferId', 'parentSeq']).execute();
    await db.schema
      .createIndex('transferItem_unconfirmed')
      .on('transferItem')
      .columns(['transferId', 'seq'])
      .where(sql<boolean>`"isListed" = 2`)
      .execute();
  },
};
