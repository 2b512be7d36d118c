import type { Migration } from './migration.ts';

/** Accounts, their identities and sessions. */
export const accounts: Migration = {
  name: '001-accounts',
  async up(db) {
    await db.schema
      .createTable('account')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('emailKey', 'text', (column) => column.notNull().unique())
      .addColumn('passwordHash', 'text')
      .addColumn('verifiedAt', 'bigint')
      .addColumn('disabledAt', 'bigint')
      .addColumn('upgradeState', 'text', (column) => column.notNull())
      .addColumn('trialEndsAt', 'bigint')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('identity')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('identity_key', ['issuer', 'subject'])
      .execute();
    await db.schema.createIndex('identity_account').on('identity').column('accountId').execute();
    await db.schema
      .createTable('session')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('rTag', 'text', (column) => column.notNull())
      .addColumn('userAgent', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('lastSeenAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('session_account').on('session').column('accountId').execute();
    await db.schema
      .createTable('mail_token')
      .addColumn('tokenHash', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('mail_token_account').on('mail_token').column('accountId').execute();
    await db.schema
      .createTable('throttle')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('windowEndsAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('sign_in')
      .addColumn('bindingHash', 'text', (column) => column.primaryKey())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text', (column) => column.notNull())
      .addColumn('codeVerifier', 'text', (column) => column.notNull())
      .addColumn('redirectUrl', 'text', (column) => column.notNull())
      .addColumn('cancelUrl', 'text', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
  },
};
