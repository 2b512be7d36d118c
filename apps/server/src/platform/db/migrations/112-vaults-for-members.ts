import type { Migration } from './migration.ts';

/** Vaults that members of Spaces may unlock. */
export const vaultsForMembers: Migration = {
  name: '112-vaults-for-members',
  async up(db) {
    await db.schema
      .alterTable('encryption_folder')
      .addColumn('forMembers', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
