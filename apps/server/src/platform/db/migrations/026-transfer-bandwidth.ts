import type { Migration } from './migration.ts';

/** Limits of an account's transfers by the hours of the week. */
export const transferBandwidth: Migration = {
  name: '026-transfer-bandwidth',
  async up(db) {
    await db.schema
      .createTable('transferBandwidth')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('timetable', 'text', (column) => column.notNull())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .execute();
  },
};
