import type { Migration } from './migration.ts';

/** What browsers seal for a vault. */
export const vaults: Migration = {
  name: '063-vaults',
  async up(db) {
    await db.schema.alterTable('encryption_folder').addColumn('wrapped', 'text').execute();
    await db.schema.alterTable('encryption_folder').addColumn('options', 'text').execute();
  },
};
