import type { Migration } from './migration.ts';

/** Which item a noted move or copy concerns, so that users can be told and can join it. All null for notes of uploads. */
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
