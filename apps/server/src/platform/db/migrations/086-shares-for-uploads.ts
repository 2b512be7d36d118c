import type { Migration } from './migration.ts';

/** Shares into which visitors upload, and the uploads that belong to them. */
export const sharesForUploads: Migration = {
  name: '086-shares-for-uploads',
  async up(db) {
    await db.schema
      .alterTable('weblink')
      .addColumn('uploadOnly', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // Without a reference: what storages have of an upload is still to be removed when its share is gone.
    for (const name of ['weblinkId', 'visitor']) await db.schema.alterTable('upload').addColumn(name, 'text').execute();
    await db.schema.createIndex('upload_weblink').on('upload').columns(['weblinkId', 'visitor']).execute();
  },
};
