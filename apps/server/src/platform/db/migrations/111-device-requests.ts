import type { Migration } from './migration.ts';

/** Programs that wait until a person confirms the code they show. */
export const deviceRequests: Migration = {
  name: '111-device-requests',
  async up(db) {
    await db.schema
      .createTable('device_request')
      .addColumn('deviceHash', 'text', (column) => column.primaryKey())
      .addColumn('userHash', 'text', (column) => column.notNull().unique())
      .addColumn('wish', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('folders', 'text', (column) => column.notNull())
      .addColumn('rights', 'text', (column) => column.notNull())
      .addColumn('userAgent', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('pollInterval', 'integer', (column) => column.notNull())
      .addColumn('polledAt', 'bigint')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('device_request_accountId').on('device_request').column('accountId').execute();
    await db.schema.createIndex('device_request_expiresAt').on('device_request').column('expiresAt').execute();
  },
};
