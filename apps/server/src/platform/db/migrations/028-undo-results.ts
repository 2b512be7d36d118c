import type { Migration } from './migration.ts';

/** What became of each item of a transfer that is undone. */
export const undoResults: Migration = {
  name: '028-undo-results',
  async up(db) {
    await db.schema.alterTable('transfer').addColumn('undoLeft', 'integer').execute();
    await db.schema.alterTable('transferItem').addColumn('undo', 'text').execute();
  },
};
