import type { Migration } from './migration.ts';

/** Browsers that have signed in before: wrong passwords from elsewhere do not lock them out. */
export const knownDevices: Migration = {
  name: '016-known-devices',
  async up(db) {
    await db.schema
      .createTable('knownDevice')
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('tokenHash', 'text', (column) => column.notNull())
      .addColumn('lastUsedAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_device_key', ['accountId', 'tokenHash'])
      .execute();
  },
};
