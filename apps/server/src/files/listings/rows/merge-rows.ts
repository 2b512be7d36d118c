import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Background } from '#/platform/db/engines/background.ts';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import { type RowKey, insertRows, listOf } from './entry-rows.ts';
import { goneKeyOf } from './folder-rows.ts';
import type { CompleteListing } from './replace-rows.ts';
import type { Spool } from './spool.ts';

/** A listing too long for memory, to be stored. */
export type SpooledListing = Omit<CompleteListing, 'entries'> & { readonly spool: Pick<Spool, 'next'> };

/** Rows per transaction: takes a few milliseconds, after which others may write; also keeps texts small enough to be freed cheaply. */
const mergedAtOnce = 400;
const beforeAll: RowKey = [-1, '', ''];

/**
 * Replaces a folder's rows by those of a spooled listing: merges both in the store's order, slice by slice in the background, and writes only
 * differences. Keeps the promises of `replaceRows`: changes by Sheaf since the listing began stay, and after a crash each row is true of some time.
 */
export async function mergeRows(
  { db, engine, background }: { readonly db: Db; readonly engine: Engine; readonly background: Pick<Background, 'write'> },
  folderId: number,
  { spool, begunAt, listedAt, fingerprint, version }: SpooledListing,
): Promise<void> {
  const isHeld = sql`exists (select 1 from listing_folder where id = ${folderId} and "pathKey" <> ${goneKeyOf(folderId)})`;
  const newer = sql`(select name from listing_change where "folderId" = ${folderId} and "changedAt" >= ${begunAt})`;
  /** Locks the folder for all instances; SQLite has one writer at a time anyway. */
  const hold = sql`select 1 from listing_folder where id = ${folderId} and "pathKey" <> ${goneKeyOf(folderId)} ${sql.raw(engine === 'postgres' ? 'for update' : '')}`;
  /** Number of changed rows; undefined when the folder no longer exists. */
  const write = async (statements: readonly RawBuilder<unknown>[]): Promise<readonly number[] | undefined> => {
    const queries = [hold, ...statements].map((statement): CompiledQuery => statement.compile(db));
    const [held, ...outcomes] = await background.write(queries);
    return held?.rows === 1 ? outcomes.map(({ changes }) => changes) : undefined;
  };
  const key = sql`("isFile", "sortKey", name)`;
  const tuple = ([isFile, sortKey, name]: RowKey) => sql`(${isFile}, ${sortKey}, ${name})`;
  const rowsAfter = (from: RowKey) => sql`"folderId" = ${folderId} and ${key} > ${tuple(from)} and name not in ${newer}`;

  const [any] = await db.selectFrom('listing_entry').select('isFile').where('folderId', '=', folderId).limit(1).execute();
  let [folders, files, changed] = [0, 0, false];
  let from = beforeAll;
  for (;;) {
    const slice = await spool.next(mergedAtOnce);
    if (!slice.last) break;
    const listed = listOf(engine, slice.rows);
    // Rows within the slice that the source did not return.
    const drop = sql`
      delete from listing_entry where ${rowsAfter(from)} and ${key} <= ${tuple(slice.last)} and ${key} not in
        (select cast(value->>0 as integer), value->>1, value->>2 from ${listed})`;
    const put = insertRows(folderId, listed, sql`${isHeld} and value->>2 not in ${newer}`);
    const changes = await write(any ? [drop, put] : [put]);
    if (!changes) return;
    changed ||= changes.some((count) => count > 0);
    folders += slice.folders;
    files += slice.files;
    from = slice.last;
  }
  const dropRest = sql`
    delete from listing_entry where "folderId" = ${folderId} and ${key} in
      (select "isFile", "sortKey", name from listing_entry where ${rowsAfter(from)} order by "isFile", "sortKey", name limit ${mergedAtOnce})`;
  while (any) {
    const dropped = (await write([dropRest]))?.[0];
    if (dropped === undefined) return;
    if (dropped === 0) break;
    changed = true;
  }

  // Counts changes instead of a million rows; with SQLite nobody else has written them.
  const isOwn = engine === 'sqlite' ? sql`not exists ${newer}` : sql`false`;
  const count = (isFile: 0 | 1, known: number) => sql`
    case when ${isOwn} then ${sql.lit(known)} else
      (select count(*) from listing_entry where "folderId" = ${folderId} and "isFile" = ${sql.lit(isFile)}) end`;
  await write([
    sql`delete from listing_change where "folderId" = ${folderId} and "changedAt" < ${begunAt} and ${isHeld}`,
    sql`
      update listing_folder set
        "listedAt" = ${listedAt},
        fingerprint = case when exists ${newer} then null else ${fingerprint} end,
        "folderCount" = ${count(0, folders)},
        "fileCount" = ${count(1, files)}
        ${changed ? sql`, version = ${version}` : sql``}
      where id = ${folderId} and "pathKey" <> ${goneKeyOf(folderId)}`,
  ]);
}
