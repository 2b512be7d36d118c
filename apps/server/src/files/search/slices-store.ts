import { type RawBuilder, sql } from 'kysely';
import { type ReadableFolder, isReadable } from '#/files/listings/rows/readable.ts';
import type { Read } from '#/platform/db/read.ts';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';

/** Some of a link's stored entries, few enough for one statement of milliseconds. */
export interface Slice {
  /** `listing_folder f` and `listing_entry e` with a condition. */
  readonly from: RawBuilder<unknown>;
  /** Number of entries. */
  readonly rows: number;
}

interface Folder {
  readonly id: number;
  readonly pathKey: string;
  readonly entries: number;
  readonly isSearched: number;
}

/** Folders whose rows are read together. */
const foldersAtOnce = 2000;

/**
 * All entries below a folder in slices of about `most` entries: small folders together, a large one in parts. Only folders that fulfil `condition`, on
 * `listing_folder f`, are looked into. Each slice is asked for after the one before has been looked through, so that others get their turn between.
 * While a listing is being stored its folder may have more rows than its counts say; its slice is larger then, and on Postgres leaves out what exceeds `most`.
 */
export async function* slicesOf(
  { db, engine, read }: { readonly db: Db; readonly engine: Engine; readonly read: Read },
  searched: ReadableFolder,
  condition: RawBuilder<unknown>,
  most: number,
): AsyncGenerator<Slice, void, undefined> {
  // By its statistics Postgres takes each folder for as large as the average, and beside a folder of a million rows would read the whole table for a small one.
  const entriesOf =
    engine === 'postgres'
      ? sql`cross join lateral (
          select * from listing_entry where "folderId" = f.id order by "isFile", "sortKey", name limit ${sql.lit(most)}) e`
      : sql`join listing_entry e on e."folderId" = f.id`;
  for (let after = ''; ;) {
    const folders = await read<Folder>(
      sql<Folder>`
        select f.id, f."pathKey", f."folderCount" + f."fileCount" as entries,
          case when ${isReadable(searched)} and ${condition} then 1 else 0 end as "isSearched"
        from listing_folder f where f."linkId" = ${searched.linkId} and f."pathKey" > ${after}
        order by f."pathKey" limit ${sql.lit(foldersAtOnce)}`.compile(db),
    );
    let rows = 0;
    let end = after;
    const together = (): Slice => ({
      from: sql`listing_folder f ${entriesOf} where f."pathKey" > ${after} and f."pathKey" <= ${end}`,
      rows,
    });
    for (const { id, pathKey, entries, isSearched } of folders) {
      const count = isSearched === 1 ? entries : 0;
      if (rows > 0 && rows + count > most) {
        yield together();
        after = end;
        rows = 0;
      }
      if (count > most) {
        yield* partsOf(id);
        after = pathKey;
      } else rows += count;
      end = pathKey;
    }
    if (rows > 0) yield together();
    after = end;
    if (folders.length < foldersAtOnce) return;
  }

  /** Counted out from the key of the first entry: with an end instead, both engines may plan to go through the whole folder for each part. */
  async function* partsOf(folderId: number): AsyncGenerator<Slice, void, undefined> {
    type Key = Readonly<{ isFile: number; sortKey: string; name: string }>;
    for (let first: Key = { isFile: -1, sortKey: '', name: '' }; ;) {
      const { isFile, sortKey, name } = first;
      const entries = sql`
        from listing_entry where "folderId" = ${folderId} and ("isFile", "sortKey", name) >= (${isFile}, ${sortKey}, ${name})
        order by "isFile", "sortKey", name`;
      const [next] = await read<Key>(sql<Key>`select "isFile", "sortKey", name ${entries} limit 1 offset ${most}`.compile(db));
      const from = sql`listing_folder f join (select * ${entries} limit ${most}) e on e."folderId" = f.id where f.id = ${folderId}`;
      yield { from, rows: most };
      if (!next) return;
      first = next;
    }
  }
}
