import type { Migration } from './migration.ts';

/** How fast transfers between two links were. */
export const transferSpeeds: Migration = {
  name: '023-transfer-speeds',
  async up(db) {
    await db.schema
      .createTable('transferSpeed')
      .addColumn('fromLinkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('toLinkId', 'text', (column) => column.notNull().references('link.id').onDelete('cascade'))
      .addColumn('bytesPerSecond', 'double precision')
      .addColumn('itemsPerSecond', 'double precision')
      .addPrimaryKeyConstraint('transferSpeed_key', ['fromLinkId', 'toLinkId'])
      .execute();
    await db.schema.createIndex('transferSpeed_to').on('transferSpeed').column('toLinkId').execute();
  },
};
