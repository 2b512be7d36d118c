import type { Kysely } from 'kysely';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { goneKeyOf } from './folder-rows.ts';

/** A transaction that writes one folder's rows. */
export type Transaction = Kysely<Database>;

/** Runs `work` while the folder is locked for all instances; undefined when the folder no longer exists. */
export function holdFolder<T>(
  db: Db,
  engine: Engine,
  folderId: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = transaction.selectFrom('listing_folder').select('pathKey').where('id', '=', folderId);
    // SQLite needs no lock: it has one writer at a time.
    const held = await (engine === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
    return held === undefined || held.pathKey === goneKeyOf(folderId) ? undefined : work(transaction);
  });
}
