import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

/** Folder of a Sheaf with SQLite, or address of its Postgres. */
type Store = { readonly data: string } | { readonly url: string };

/** Number of folders whose rows are stored, also of links that are gone. */
export const storedFolders = (store: Store): Promise<number> => count(store, 'listing_folder');

/** Number of deleted entries that are still in SQLite's index of the search. */
export const goneEntries = (store: Store): Promise<number> => ('url' in store ? Promise.resolve(0) : count(store, 'search_gone'));

/** Does what Postgres does by itself within about a minute of a large listing (autovacuum), which is off in the tests' servers. */
export const vacuum = async (url: string): Promise<void> => void (await promisify(execFile)('psql', [url, '-qc', 'vacuum analyze']));

async function count(store: Store, table: string): Promise<number> {
  const statement = `select count(*) as count from ${table}`;
  if ('url' in store) return Number((await promisify(execFile)('psql', [store.url, '-Atc', statement])).stdout);
  const database = new DatabaseSync(join(store.data, 'sheaf.db'), { readOnly: true });
  try {
    return Number(database.prepare(statement).get()?.['count']);
  } finally {
    database.close();
  }
}
