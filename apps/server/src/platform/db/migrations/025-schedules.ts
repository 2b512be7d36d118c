import type { Migration } from './migration.ts';

/** Transfers that start at certain times. */
export const schedules: Migration = {
  name: '025-schedules',
  async up(db) {
    await db.schema
      .createTable('schedule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('nameKey', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('sources', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('conflict', 'text', (column) => column.notNull())
      .addColumn('verify', 'text', (column) => column.notNull())
      .addColumn('bytesPerSecond', 'bigint')
      .addColumn('keepVersions', 'text')
      .addColumn('cron', 'text', (column) => column.notNull())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('nextRunAt', 'bigint', (column) => column.notNull())
      .addColumn('pendingTransferId', 'text')
      .addColumn('lastTransferId', 'text')
      .addColumn('lastRunAt', 'bigint')
      .addColumn('error', 'text')
      .addColumn('missedAt', 'bigint')
      .addColumn('seenTransferId', 'text')
      .addColumn('mailedAt', 'bigint')
      .addUniqueConstraint('schedule_name', ['accountId', 'nameKey'])
      .execute();
    await db.schema.createIndex('schedule_due').on('schedule').column('nextRunAt').execute();
    await db.schema.createIndex('transfer_schedule').on('transfer').column('scheduleId').execute();
  },
};
