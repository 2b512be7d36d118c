import type { Migration } from './migration.ts';

/** Authorizations under way, pending grants, and the lease for renewing a link's grant. */
export const authorizations: Migration = {
  name: '004-authorizations',
  async up(db) {
    await db.schema
      .createTable('link_authorization')
      .addColumn('stateHash', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('sessionId', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('userLinkId', 'text')
      .addColumn('redirectUrl', 'text')
      .addColumn('cancelUrl', 'text')
      .addColumn('buildsRedirect', 'integer', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('parked_grant')
      .addColumn('stateIdHash', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('sessionId', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('info', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('link_grant')
      .addColumn('linkId', 'text', (column) => column.primaryKey().references('link.id').onDelete('cascade'))
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('renewer', 'text')
      .addColumn('renewsUntil', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('link_grant_owner').on('link_grant').column('owner').execute();
  },
};
