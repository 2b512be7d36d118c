import type { Migration } from './migration.ts';

/** Choices of a share beyond password and expiration, and the downloads that count towards its limit. */
export const shareChoices: Migration = {
  name: '084-share-choices',
  async up(db) {
    await db.schema.alterTable('weblink').addColumn('downloadLimit', 'bigint').execute();
    for (const name of ['downloads', 'viewOnly', 'notifies'])
      await db.schema
        .alterTable('weblink')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    await db.schema.alterTable('weblink').addColumn('notifiedAt', 'bigint').execute();
    await db.schema
      .createTable('weblinkDownload')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('weblinkId', 'text', (column) => column.notNull().references('weblink.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('weblinkDownload_weblink').on('weblinkDownload').column('weblinkId').execute();
  },
};
