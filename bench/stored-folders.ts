import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

/** Folder of a Sheaf with SQLite, or address of its Postgres. */
type Store = { readonly data: string } | { readonly url: string };

const statement = 'select count(*) as count from listing_folder';

/** Number of folders whose rows are stored, also of links that are gone. */
export async function storedFolders(store: Store): Promise<number> {
  if ('url' in store) return Number((await promisify(execFile)('psql', [store.url, '-Atc', statement])).stdout);
  const database = new DatabaseSync(join(store.data, 'sheaf.db'), { readOnly: true });
  try {
    return Number(database.prepare(statement).get()?.['count']);
  } finally {
    database.close();
  }
}
