import type { Migration } from './migration.ts';

/** The item that a move or copy under way concerns, so that users see it and others wait for it. All null for uploads. */
export const transfers: Migration = {
  name: '019-transfers',
  async up(db) {
    for (const column of ['kind', 'fromPath', 'toPath']) await db.schema.alterTable('leftover').addColumn(column, 'text').execute();
    await db.schema
      .alterTable('leftover')
      .addColumn('isFailed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('leftover_link').on('leftover').column('linkId').execute();
  },
};
