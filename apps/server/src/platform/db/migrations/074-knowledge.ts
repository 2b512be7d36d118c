import type { Migration } from './migration.ts';

/** What Sheaf does to know the folders of a link that nobody has opened. Times are epoch milliseconds. */
export const knowledge: Migration = {
  name: '074-knowledge',
  async up(db) {
    await db.schema
      .createTable('link_knowledge')
      .addColumn('linkId', 'text', (column) => column.primaryKey().references('link.id').onDelete('cascade'))
      .addColumn('isWanted', 'integer')
      .addColumn('usedAt', 'bigint', (column) => column.notNull())
      .addColumn('nextAt', 'bigint', (column) => column.notNull())
      .addColumn('refusals', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('cursor', 'text')
      .addColumn('feedAt', 'bigint')
      .addColumn('staleBefore', 'bigint', (column) => column.notNull())
      .addColumn('tree', 'text')
      .execute();
    await db.schema.createIndex('link_knowledge_due').on('link_knowledge').column('nextAt').execute();
    await db.schema.createIndex('link_knowledge_feed').on('link_knowledge').column('feedAt').execute();
    await db.schema
      .createTable('knowledge_refusal')
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('pathKey', 'text', (column) => column.notNull())
      .addColumn('refusedAt', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('knowledge_refusal_key', ['linkId', 'pathKey'])
      .execute();
    await db.schema
      .alterTable('listing_folder')
      .addColumn('isUnopened', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
