import type { Migration } from './migration.ts';

/** What mirrors do with replaced and deleted files, and which schedule started a transfer. */
export const mirrors: Migration = {
  name: '024-mirrors',
  async up(db) {
    for (const column of ['keepVersions', 'scheduleId']) await db.schema.alterTable('transfer').addColumn(column, 'text').execute();
  },
};
