import type { Migration } from './migration.ts';

/** A key by which a client that asks for the same transfer again gets the first one. */
export const idempotentTransfers: Migration = {
  name: '108-idempotent-transfers',
  async up(db) {
    await db.schema.alterTable('transfer').addColumn('idempotencyKey', 'text').execute();
    await db.schema.createIndex('transfer_idempotency_key').on('transfer').columns(['accountId', 'idempotencyKey']).unique().execute();
  },
};
