import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Copies and moves between links, with their items. */
export const transfersBetweenLinks: Migration = {
  name: '021-transfers-between-links',
  async up(db) {
    await db.schema
      .createTable('transfer')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('sources', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('conflict', 'text', (column) => column.notNull())
      .addColumn('verify', 'text', (column) => column.notNull())
      .addColumn('bytesPerSecond', 'bigint')
      .addColumn('isAutomatic', 'integer', (column) => column.notNull())
      .addColumn('problems', 'integer', (column) => column.notNull())
      .addColumn('itemsTotal', 'integer', (column) => column.notNull())
      .addColumn('itemsDone', 'integer', (column) => column.notNull())
      .addColumn('itemsFailed', 'integer', (column) => column.notNull())
      .addColumn('bytesTotal', 'bigint', (column) => column.notNull())
      .addColumn('bytesDone', 'bigint', (column) => column.notNull())
      .addColumn('bytesSentTwice', 'bigint', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('startedAt', 'bigint')
      .addColumn('endedAt', 'bigint')
      .addColumn('waitingUntil', 'bigint')
      .addColumn('error', 'text')
      .addColumn('run', 'integer', (column) => column.notNull())
      .addColumn('changedAt', 'bigint', (column) => column.notNull())
      .addColumn('isUndone', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('transfer_account').on('transfer').columns(['accountId', 'id']).execute();
    await db.schema
      .createTable('transferItem')
      .addColumn('transferId', 'text', (column) => column.notNull().references('transfer.id').onDelete('cascade'))
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('parentSeq', 'bigint')
      .addColumn('source', 'integer', (column) => column.notNull())
      .addColumn('fromPath', 'text', (column) => column.notNull())
      .addColumn('toPath', 'text', (column) => column.notNull())
      .addColumn('isFolder', 'integer', (column) => column.notNull())
      .addColumn('size', 'bigint')
      .addColumn('modified', 'bigint')
      .addColumn('etag', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('takenModified', 'bigint')
      .addColumn('isListed', 'integer', (column) => column.notNull())
      .addColumn('isWhole', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('session', 'text')
      .addColumn('parts', 'text')
      .addColumn('proof', 'text')
      .addColumn('sourceHash', 'text')
      .addColumn('computedHash', 'text')
      .addColumn('destinationHash', 'text')
      .addColumn('made', 'text')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('transferItem_key', ['transferId', 'seq'])
      .execute();
    await db.schema.createIndex('transferItem_state').on('transferItem').columns(['transferId', 'state', 'seq']).execute();
    await db.schema
      .createIndex('transferItem_unlisted')
      .on('transferItem')
      .columns(['transferId', 'seq'])
      .where(sql<boolean>`"isListed" = 0`)
      .execute();
  },
};
