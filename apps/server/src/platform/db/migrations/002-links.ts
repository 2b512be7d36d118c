import type { Migration } from './migration.ts';

/** Links, their sealed secrets and their connectors' state. */
export const links: Migration = {
  name: '002-links',
  async up(db) {
    await db.schema
      .createTable('link')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('sourceType', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('nameKey', 'text', (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('identity', 'text', (column) => column.notNull())
      .addColumn('info', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('checkedAt', 'bigint')
      .addColumn('attention', 'text')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addUniqueConstraint('link_name', ['accountId', 'nameKey'])
      .execute();
    await db.schema
      .createTable('link_secret')
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('field', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_secret_key', ['linkId', 'field'])
      .execute();
    await db.schema
      .createTable('link_fact')
      .addColumn('linkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('fact', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_fact_key', ['linkId', 'fact'])
      .execute();
  },
};
