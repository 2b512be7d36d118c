import type { Migration } from './migration.ts';

/** Passkeys that unlock a vault. */
export const vaultPasskeys: Migration = {
  name: '103-vault-passkeys',
  async up(db) {
    await db.schema
      .createTable('vaultPasskey')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('vaultId', 'text', (column) => column.notNull().references('encryption_folder.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('vaultPasskey_vault').on('vaultPasskey').column('vaultId').execute();
  },
};
