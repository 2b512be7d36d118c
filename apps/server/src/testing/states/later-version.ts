/** Loaded by `node --import` before the program: makes it a later version, with a migration that changes busy tables. It only adds, as each one has to. */
import { sql } from 'kysely';
import { migrations } from '#/platform/db/migrations/index.ts';
import type { Migration } from '#/platform/db/migrations/migration.ts';

/** Tables that the requests of people read and write. */
const busy = [
  'account',
  'session',
  'link',
  'listing_folder',
  'listing_entry',
  'weblink',
  'transfer',
  'transferItem',
  'job',
  'audit_event',
] as const;

export const later: Migration = {
  name: '999-later',
  async up(db, engine) {
    for (const table of busy) {
      await db.schema.alterTable(table).addColumn('laterNote', 'text').execute();
      await db.schema
        .alterTable(table)
        .addColumn('laterCount', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`update ${sql.table(table)} set "laterNote" = 'from before'`.execute(db);
    }
    await db.schema.createIndex('later_session').on('session').columns(['accountId', 'laterCount']).execute();
    await db.schema
      .createTable('later')
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .execute();
    // As long as it takes with many rows.
    if (engine === 'postgres') await sql`select pg_sleep(0.5)`.execute(db);
  },
};

(migrations as Migration[]).push(later);
