import type { Migration } from './migration.ts';

/** Subscriptions of links to what their services say about changes, and when changes were last asked for. */
export const hints: Migration = {
  name: '113-hints',
  async up(db) {
    await db.schema
      .createTable('link_hint')
      .addColumn('linkId', 'text', (column) => column.primaryKey().references('link.id').onDelete('cascade'))
      .addColumn('secretHash', 'text', (column) => column.unique())
      .addColumn('handle', 'text')
      .addColumn('expiresAt', 'bigint')
      .addColumn('renewAt', 'bigint', (column) => column.notNull())
      .addColumn('refusals', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('link_hint_renewAt').on('link_hint').column('renewAt').execute();
    await db.schema.createIndex('link_provider_identity').on('link').columns(['provider', 'identity']).execute();
    await db.schema.alterTable('link_knowledge').addColumn('hintedAt', 'bigint').execute();
    await db.schema.alterTable('link_knowledge').addColumn('askedAt', 'bigint').execute();
  },
};
