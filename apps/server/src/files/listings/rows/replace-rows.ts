import { setImmediate as turn } from 'node:timers/promises';
import type { Entry } from '@sheaf/connectors';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import { type RowKey, dropEntries, entryColumns, entryOf, putEntries } from './entry-rows.ts';
import { type Transaction, holdFolder } from './held-folder.ts';

/** Rows per transaction: takes a few milliseconds, after which other requests get their turn. */
export const sliceSize = 1000;

/** A listing to be stored. */
export interface CompleteListing {
  /** Keyed by name. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly fingerprint: string;
  /** Becomes the folder's version if any row changes. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly listedAt: number;
}

/** Items that the listing has and the stored rows had not. */
interface Added {
  count: number;
  example: Entry | undefined;
}

/** What a replacement has changed. */
export interface Replaced {
  /** Names of folders that no longer exist. */
  readonly gone: readonly string[];
  readonly added: Readonly<Added>;
}

/**
 * Replaces a folder's rows by those of a listing, slice by slice, writing only differences. Changes by Sheaf since the listing began stay. After a
 * crash each row is true of some time; the next listing corrects the rest. Tells folders that no longer exist, and what is new.
 */
export async function replaceRows(db: Db, engine: Engine, folderId: number, listed: CompleteListing): Promise<Replaced> {
  const gone: string[] = [];
  const added: Added = { count: 0, example: undefined };
  const seen = new Set<string>();
  let changed = false;
  let after: RowKey | undefined = [-1, '', ''];
  while (after) {
    const from: RowKey = after;
    const step = await holdFolder(db, engine, folderId, (transaction) => compareSlice(transaction, engine, folderId, listed, from, seen));
    if (!step) return { gone, added };
    changed ||= step.changed;
    gone.push(...step.gone);
    after = step.last;
    await turn();
  }
  for (const entries of slicesOf(listed.entries.values(), seen)) {
    await holdFolder(db, engine, folderId, async (transaction) => {
      const newer = await changedSince(transaction, folderId, listed.begunAt);
      const missing = newer.size === 0 ? entries : entries.filter(({ name }) => !newer.has(name));
      await putEntries(transaction, engine, folderId, missing);
      added.count += missing.length;
      added.example ??= missing[0];
    });
    changed = true;
    await turn();
  }
  await holdFolder(db, engine, folderId, (transaction) => finish(transaction, engine, folderId, listed, changed));
  return { gone, added };
}

/** Compares the stored rows after `after` with the listing, and adds the names that need nothing further to `seen`. */
async function compareSlice(
  transaction: Transaction,
  engine: Engine,
  folderId: number,
  { entries, begunAt }: CompleteListing,
  after: RowKey,
  seen: Set<string>,
): Promise<{ changed: boolean; gone: readonly string[]; last: RowKey | undefined }> {
  const rows = await transaction
    .selectFrom('listing_entry')
    .select([...entryColumns, 'sortKey'])
    .where('folderId', '=', folderId)
    .where((eb) => eb(eb.refTuple('isFile', 'sortKey', 'name'), '>', eb.tuple(...after)))
    .orderBy('isFile')
    .orderBy('sortKey')
    .orderBy('name')
    .limit(sliceSize)
    .execute();
  const newer = await changedSince(transaction, folderId, begunAt);
  const put: Entry[] = [];
  const drop: RowKey[] = [];
  for (const row of rows) {
    if (newer.has(row.name)) continue;
    const stored = entryOf(row);
    const now = entries.get(row.name);
    if (now?.kind !== stored.kind) {
      drop.push([row.isFile, row.sortKey, row.name]);
      continue;
    }
    seen.add(now.name);
    if (!isSame(now, stored)) put.push(now);
  }
  await dropEntries(transaction, engine, folderId, drop);
  await putEntries(transaction, engine, folderId, put);
  const end = rows.length < sliceSize ? undefined : rows.at(-1);
  const gone = drop.flatMap(([isFile, , name]) => (isFile === 0 ? [name] : []));
  return { changed: drop.length + put.length > 0, gone, last: end && [end.isFile, end.sortKey, end.name] };
}

/** Names changed by Sheaf since then: their stored rows are newer than the listing. */
async function changedSince(transaction: Transaction, folderId: number, begunAt: number): Promise<Set<string>> {
  const rows = transaction.selectFrom('listing_change').select('name').where('folderId', '=', folderId);
  return new Set((await rows.where('changedAt', '>=', begunAt).execute()).map(({ name }) => name));
}

async function finish(
  transaction: Transaction,
  engine: Engine,
  folderId: number,
  listed: CompleteListing,
  changed: boolean,
): Promise<void> {
  const { begunAt, listedAt, fingerprint, version } = listed;
  const newer = await changedSince(transaction, folderId, begunAt);
  await transaction.deleteFrom('listing_change').where('folderId', '=', folderId).where('changedAt', '<', begunAt).execute();
  // Counts changes instead of a million rows; with SQLite nobody else has written them.
  const known = engine === 'sqlite' && newer.size === 0 ? countKinds(listed.entries.values()) : undefined;
  const count = (isFile: 0 | 1) =>
    transaction
      .selectFrom('listing_entry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('folderId', '=', folderId)
      .where('isFile', '=', isFile);
  await transaction
    .updateTable('listing_folder')
    .set({
      listedAt,
      fingerprint: newer.size === 0 ? fingerprint : null,
      folderCount: known?.folders ?? count(0),
      fileCount: known?.files ?? count(1),
      ...(changed && { version }),
    })
    .where('id', '=', folderId)
    .execute();
}

function countKinds(entries: Iterable<Entry>): { readonly folders: number; readonly files: number } {
  let [folders, files] = [0, 0];
  for (const { kind } of entries) {
    if (kind === 'file') files++;
    else folders++;
  }
  return { folders, files };
}

/** Whether the stored row equals the source's entry; times are stored in whole seconds. */
const isSame = (now: Entry, stored: Entry): boolean =>
  now.size === stored.size &&
  (now.modified === undefined ? undefined : Math.trunc(now.modified)) === stored.modified &&
  now.etag === stored.etag &&
  now.mimeType === stored.mimeType;

/** The entries whose names are not in `but`, in slices. */
function* slicesOf(entries: Iterable<Entry>, but: ReadonlySet<string>): Generator<Entry[]> {
  let slice: Entry[] = [];
  for (const entry of entries) {
    if (but.has(entry.name)) continue;
    slice.push(entry);
    if (slice.length < sliceSize) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
