import type { Migration } from './migration.ts';

/** Shares of items of a vault: what its owner's browser has sealed of them, which only the open vault reads. */
export const sealedShares: Migration = {
  name: '102-sealed-shares',
  async up(db) {
    await db.schema.alterTable('weblink').addColumn('sealed', 'text').execute();
  },
};
