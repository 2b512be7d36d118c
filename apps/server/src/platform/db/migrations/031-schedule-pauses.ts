import type { Migration } from './migration.ts';

/** When a schedule was paused, and how long it keeps what its runs replace and delete. */
export const schedulePauses: Migration = {
  name: '031-schedule-pauses',
  async up(db) {
    await db.schema.alterTable('schedule').addColumn('pausedAt', 'bigint').execute();
    for (const column of ['versionDays', 'versionRuns']) await db.schema.alterTable('schedule').addColumn(column, 'integer').execute();
  },
};
