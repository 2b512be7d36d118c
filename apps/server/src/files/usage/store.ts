import type { Entry } from '@sheaf/connectors';
import { sql } from 'kysely';
import { type ShownRow, entryOf } from '#/files/listings/rows/entry-rows.ts';
import { type ReadableFolder, isReadable, pathBelow } from '#/files/listings/rows/readable.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';

/** What is used below one folder in a child of the folder that was asked for. */
export interface Part {
  /** The child, and the folder in it; both are empty for files of the folder itself. */
  readonly child: string;
  readonly part: string;
  readonly bytes: number;
  readonly files: number;
  /** The same for the whole child, and for everything. */
  readonly childBytes: number;
  readonly childFiles: number;
  readonly allBytes: number;
  readonly allFiles: number;
  readonly allUnsized: number;
}

/** A file, and its folder as a path below the folder that was asked for. */
export interface UsedFile {
  readonly entry: Entry;
  readonly folder: string;
}

/** A size that several files of a link have. */
export interface SizeCount {
  readonly size: number;
  readonly files: number;
}

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Sums over stored listings. They read every row of a link, so SQLite answers them on its own thread. */
export function createUsageStore(database: Pick<OpenDatabase, 'db' | 'engine' | 'sqlite' | 'aside'>) {
  const { db, engine } = database;
  const read = database.aside?.read ?? createRead(database);
  /** The n-th name of a path without a leading slash; SQLite has no function for it. */
  const firstName = (path: string) =>
    sql.raw(
      engine === 'postgres'
        ? `split_part(${path}, '/', 1)`
        : `case instr(${path}, '/') when 0 then ${path} else substr(${path}, 1, instr(${path}, '/') - 1) end`,
    );
  const filesOf = (folder: ReadableFolder) =>
    sql`listing_folder f join listing_entry e on e."folderId" = f.id and e."isFile" = 1 where ${isReadable(folder)}`;
  const columns = sql`e.name, e."isFile", e.size, e.modified, e.etag, e."mimeType", f.path as folder`;
  const fileOf =
    (root: string) =>
    ({ folder, ...row }: ShownRow & { folder: string }): UsedFile => ({ entry: entryOf(row), folder: pathBelow(root, folder) });

  return {
    /** What each child of the folder uses, and each folder in these; those that use most first, at most `limit`. */
    async parts(folder: ReadableFolder, limit: number): Promise<readonly Part[]> {
      const skipped = folder.path === '/' ? 2 : folder.path.length + 2;
      return read<Part>(
        sql<Part>`
          with folders as (
            select f.id, substr(f.path, ${sql.lit(skipped)}) as rest from listing_folder f where ${isReadable(folder)}
          ), sums as (
            select folders.rest, sum(coalesce(e.size, 0)) as bytes, count(*) as files, sum(case when e.size is null then 1 else 0 end) as unsized
            from folders join listing_entry e on e."folderId" = folders.id and e."isFile" = 1 group by folders.id, folders.rest
          ), named as (
            select ${firstName('rest')} as child, substr(rest, length(${firstName('rest')}) + 2) as deeper, bytes, files, unsized from sums
          ), grouped as (
            select child, ${firstName('deeper')} as part, sum(bytes) as bytes, sum(files) as files, sum(unsized) as unsized from named group by 1, 2
          ), totals as (
            select child, part, bytes, files,
              sum(bytes) over (partition by child) as "childBytes", sum(files) over (partition by child) as "childFiles",
              sum(bytes) over () as "allBytes", sum(files) over () as "allFiles", sum(unsized) over () as "allUnsized"
            from grouped
          )
          select child, part, cast(bytes as bigint) as bytes, cast(files as bigint) as files,
            cast("childBytes" as bigint) as "childBytes", cast("childFiles" as bigint) as "childFiles",
            cast("allBytes" as bigint) as "allBytes", cast("allFiles" as bigint) as "allFiles", cast("allUnsized" as bigint) as "allUnsized"
          from totals order by totals."childBytes" desc, child, totals.bytes desc limit ${limit}`.compile(db),
      );
    },

    /** Bytes of the files below the folder that have a size; undefined where nothing is known. */
    async bytesBelow(folder: ReadableFolder): Promise<number | undefined> {
      const sum = sql<{ bytes: number | string | null }>`select cast(sum(e.size) as bigint) as bytes from ${filesOf(folder)}`;
      const [row] = await read<{ bytes: number | string | null }>(sum.compile(db));
      return row?.bytes == null ? undefined : Number(row.bytes);
    },

    /** The largest files below the folder, largest first; with `direct` only those in the folder itself. */
    async largest(folder: ReadableFolder, limit: number, direct = false): Promise<readonly UsedFile[]> {
      const own = direct ? sql`and f.path = ${folder.path}` : sql``;
      const rows = await read<ShownRow & { folder: string }>(
        sql<ShownRow & { folder: string }>`
          select ${columns} from ${filesOf(folder)} ${own} and e.size is not null order by e.size desc, e.name limit ${limit}`.compile(db),
      );
      return rows.map(fileOf(folder.path));
    },

    /** Sizes of the link's largest files from `minBytes` on, and how many files have each; at most `limit` sizes. */
    async sizes(folder: ReadableFolder, minBytes: number, limit: number): Promise<readonly SizeCount[]> {
      return read<SizeCount>(
        sql<SizeCount>`
          select e.size, cast(count(*) as bigint) as files from ${filesOf(folder)} and e.size >= ${minBytes}
          group by e.size order by e.size desc limit ${limit}`.compile(db),
      );
    },

    /** Files of one of these sizes, the oldest first; at most `limit`. */
    async ofSizes(folder: ReadableFolder, sizes: readonly number[], limit: number): Promise<readonly UsedFile[]> {
      if (sizes.length === 0) return [];
      const rows = await read<ShownRow & { folder: string }>(
        sql<ShownRow & { folder: string }>`
          select ${columns} from ${filesOf(folder)} and e.size in (${sql.join(sizes)})
          order by e.size desc, e.modified, f.path, e.name limit ${limit}`.compile(db),
      );
      return rows.map(fileOf(folder.path));
    },
  };
}
