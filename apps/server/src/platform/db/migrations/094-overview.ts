import type { Migration } from './migration.ts';

/** Room at sources and arrivals in folders, for the home page; and what the audit log says of one object. */
export const overview: Migration = {
  name: '094-overview',
  async up(db) {
    await db.schema
      .createTable('link_room')
      .addColumn('linkId', 'text', (column) => column.primaryKey().references('link.id').onDelete('cascade'))
      .addColumn('used', 'bigint')
      .addColumn('total', 'bigint')
      .addColumn('toldAt', 'bigint')
      .addColumn('askedAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('link_arrival')
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('isFolder', 'bigint', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_arrival_key', ['linkId', 'id'])
      .execute();
    await db.schema.createIndex('audit_event_subject').on('audit_event').columns(['accountId', 'subjectId', 'id']).execute();
  },
};
