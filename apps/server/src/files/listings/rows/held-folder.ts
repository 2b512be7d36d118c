import type { Kysely } from 'kysely';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { goneKeyOf } from './folder-rows.ts';

/** A transaction in which one folder's rows are written. */
export type Transaction = Kysely<Database>;

/** Runs `work` while nobody else writes to the folder, on any instance; undefined when the folder is gone. */
export function holdFolder<T>(
  db: Db,
  engine: Engine,
  folderId: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = transaction.selectFrom('listing_folder').select('pathKey').where('id', '=', folderId);
    // SQLite has one writer at a time anyway.
    const held = await (engine === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
    return held === undefined || held.pathKey === goneKeyOf(folderId) ? undefined : work(transaction);
  });
}
