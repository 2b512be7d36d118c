import type { Migration } from './migration.ts';

/** Second factors, passkeys, and the time of a session's last reauthentication. */
export const secondFactors: Migration = {
  name: '009-second-factors',
  async up(db) {
    await db.schema
      .createTable('totp')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('confirmedAt', 'bigint')
      .addColumn('lastStep', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('passkey')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('credentialId', 'text', (column) => column.notNull().unique())
      .addColumn('publicKey', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('signsIn', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('lastUsedAt', 'bigint')
      .execute();
    await db.schema.createIndex('passkey_account').on('passkey').column('accountId').execute();
    await db.schema
      .createTable('recovery_code')
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('codeHash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_code_key', ['accountId', 'codeHash'])
      .execute();
    await db.schema
      .createTable('passkey_challenge')
      .addColumn('challengeHash', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.references('account.id').onDelete('cascade'))
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('sign_in_ticket')
      .addColumn('tokenHash', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('proof', 'text', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('session')
      .addColumn('provenAt', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('sign_in').addColumn('joinsId', 'text').execute();
  },
};
