import type { Migration } from './migration.ts';

/** Authentication codes, their tokens, and folders that programs have requested. */
export const handoffs: Migration = {
  name: '006-handoffs',
  async up(db) {
    await db.schema
      .createTable('auth_code')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('codeHash', 'text', (column) => column.notNull().unique())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('auth_code_account').on('auth_code').column('accountId').execute();
    await db.schema
      .createTable('auth_token')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
      .addColumn('codeId', 'text', (column) => column.notNull().references('auth_code.id').onDelete('cascade'))
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('userAgent', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('lastSeenAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('auth_token_code').on('auth_token').column('codeId').execute();
    await db.schema.createIndex('auth_token_account').on('auth_token').column('accountId').execute();
    await db.schema
      .createTable('handoff')
      .addColumn('tokenHash', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('destinationPath', 'text')
      .addColumn('linkUri', 'text')
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('handoff_account').on('handoff').column('accountId').execute();
  },
};
