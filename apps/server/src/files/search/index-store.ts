import { foldName } from '@sheaf/contract';
import { sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { runLong } from '#/platform/db/run-long.ts';

/** The database whose index is completed. */
export interface IndexDeps {
  readonly database: Pick<OpenDatabase, 'db' | 'engine' | 'background'>;
  readonly databaseUrl: string;
  /** Called when Postgres cannot have the index: searching then scans. */
  readonly onMissing: (error: unknown) => void;
}

/** Rows indexed in one transaction, which takes a few milliseconds. */
const indexedAtOnce = 400;
const foldersAtOnce = 200;

type Key = readonly [isFile: number, sortKey: string, name: string];

/** Completes the index unless it is complete. Can be aborted at any time and repeated. */
export async function buildIndex({ database, databaseUrl, onMissing }: IndexDeps, signal: AbortSignal): Promise<void> {
  const { db, engine, background } = database;
  const state = await db.selectFrom('search_index').select('state').where('id', '=', 1).executeTakeFirst();
  if (state?.state === 'ready') return;

  for (let after = 0; ;) {
    const folders = await db
      .selectFrom('listing_folder')
      .select(['id', 'path', 'foldedPath'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(foldersAtOnce)
      .execute();
    for (const { id, path, foldedPath } of folders) {
      signal.throwIfAborted();
      after = id;
      if (foldedPath === null)
        await db
          .updateTable('listing_folder')
          .set({ foldedPath: foldName(path) })
          .where('id', '=', id)
          .execute();
      if (engine === 'sqlite') await indexFolder(id);
    }
    if (folders.length < foldersAtOnce) break;
  }
  if (engine === 'postgres') {
    try {
      await runLong(databaseUrl, postgresIndex, signal);
    } catch (error) {
      onMissing(error);
      return;
    }
  }
  await db.updateTable('search_index').set({ state: 'ready' }).where('id', '=', 1).execute();

  /** The triggers of the migration `029-search` index a row whose id is set to 0. */
  async function indexFolder(folderId: number): Promise<void> {
    const key = sql`("isFile", "sortKey", name)`;
    const tuple = ([isFile, sortKey, name]: Key) => sql`(${isFile}, ${sortKey}, ${name})`;
    for (let from: Key = [-1, '', '']; ;) {
      signal.throwIfAborted();
      const rows = await db
        .selectFrom('listing_entry')
        .select(['isFile', 'sortKey', 'name'])
        .where('folderId', '=', folderId)
        .where((eb) => eb(eb.refTuple('isFile', 'sortKey', 'name'), '>', eb.tuple(...from)))
        .orderBy('isFile')
        .orderBy('sortKey')
        .orderBy('name')
        .limit(indexedAtOnce)
        .execute();
      const last = rows.at(-1);
      if (!last) return;
      const to: Key = [last.isFile, last.sortKey, last.name];
      const update = sql`
        update listing_entry set "searchId" = 0
        where "folderId" = ${folderId} and ${key} > ${tuple(from)} and ${key} <= ${tuple(to)} and "searchId" is null`;
      await background.write([update.compile(db)]);
      from = to;
    }
  }
}

/** Built without locking the table; what an interrupted attempt has left is unusable and built anew. */
const postgresIndex = [
  'create extension if not exists pg_trgm',
  'drop index concurrently if exists listing_entry_search',
  `create index concurrently listing_entry_search
    on listing_entry using gin ((coalesce(folded, name) collate "C") gin_trgm_ops) with (fastupdate = off)`,
];
