import type { Migration } from './migration.ts';

/** Names reserved by uploads under way, so that instances choose different ones. */
export const nameClaims: Migration = {
  name: '015-name-claims',
  async up(db) {
    await db.schema
      .createTable('name_claim')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('endsAt', 'bigint', (column) => column.notNull())
      .execute();
  },
};
