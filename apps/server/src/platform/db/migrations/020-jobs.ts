import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Background jobs. Partial indexes cover only jobs that can be claimed, have failed or have ended. */
export const jobs: Migration = {
  name: '020-jobs',
  async up(db, engine) {
    await db.schema
      .createTable('job')
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('progress', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('dueAt', 'bigint')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('epoch', 'integer', (column) => column.notNull())
      .addColumn('holder', 'text')
      .addColumn('isCancelled', 'integer', (column) => column.notNull())
      .addColumn('dedupeKey', 'text')
      .addColumn('lane', 'text')
      .addColumn('laneLimit', 'integer')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('finishedAt', 'bigint')
      .addColumn('failedAt', 'bigint')
      .addColumn('reason', 'text')
      .addPrimaryKeyConstraint('job_key', ['scope', 'id'])
      .execute();
    await db.schema.createIndex('job_due').on('job').columns(['priority', 'dueAt']).where('dueAt', 'is not', null).execute();
    await db.schema.createIndex('job_once').unique().on('job').columns(['scope', 'kind', 'dedupeKey']).execute();
    await db.schema.createIndex('job_lane').on('job').columns(['lane', 'state', 'id']).where('lane', 'is not', null).execute();
    await db.schema.createIndex('job_failed').on('job').columns(['failedAt']).where('failedAt', 'is not', null).execute();
    await db.schema.createIndex('job_finished').on('job').columns(['finishedAt']).where('finishedAt', 'is not', null).execute();
    // Each job's row is written three times and then deleted: free room in its page keeps the table from growing.
    if (engine === 'postgres') await sql`alter table job set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`.execute(db);
  },
};
