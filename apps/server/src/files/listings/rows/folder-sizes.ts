import { type Kysely, sql } from 'kysely';
import type { Read } from '#/platform/db/read.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { gonePrefix } from './folder-rows.ts';

/** Size of a folder with everything below it. */
export interface FolderSize {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** Most folders of a link that are looked at, and most folders and files below one that are added up; beyond, sizes count as unknown. */
const [mostSeen, mostFolders, mostFiles] = [50_000, 5000, 200_000];

interface Extent {
  readonly seen: number;
  readonly folders: number;
  readonly files: number;
}

interface Row {
  readonly path: string;
  readonly listedAt: number | null;
  readonly folderCount: number;
  readonly bytes: number;
  readonly unsized: number;
}

/**
 * Returns sizes of the folders in a folder, as far as the stored listings know them whole: every folder below has been listed, and every file in it
 * has a size. A large link, or one with much below the folder, is not added up at all: it would take the time of those who wait for a listing.
 */
export async function folderSizes(
  { db, read }: { db: Kysely<Database>; read: Read },
  linkId: string,
  path: string,
): Promise<readonly FolderSize[]> {
  const prefix = path === '/' ? '/' : `${path}/`;
  const isBelow = sql`f.path <> ${path} and substr(f.path, 1, length(cast(${prefix} as text))) = ${prefix}
    and substr(f."pathKey", 1, ${sql.lit(gonePrefix.length)}) <> ${sql.lit(gonePrefix)}`;
  const [extent] = await read(
    sql<Extent>`select cast(count(*) as bigint) as seen, cast(coalesce(sum(case when ${isBelow} then 1 else 0 end), 0) as bigint) as folders,
        cast(coalesce(sum(case when ${isBelow} then f."fileCount" else 0 end), 0) as bigint) as files
      from (select path, "pathKey", "fileCount" from listing_folder where "linkId" = ${linkId} limit ${sql.lit(mostSeen + 1)}) f`.compile(
      db,
    ),
  );
  if (!extent || Number(extent.seen) > mostSeen || Number(extent.folders) > mostFolders || Number(extent.files) > mostFiles) return [];
  const files = (what: ReturnType<typeof sql<number>>) =>
    sql<number>`(select ${what} from listing_entry e where e."folderId" = f.id and e."isFile" = 1)`;
  const rows = await read(
    sql<Row>`select f.path, f."listedAt", f."folderCount", ${files(sql`cast(coalesce(sum(e.size), 0) as bigint)`)} as bytes,
      ${files(sql`cast(count(*) - count(e.size) as bigint)`)} as unsized
      from listing_folder f
      where f."linkId" = ${linkId} and ${isBelow} limit ${sql.lit(mostFolders)}`.compile(db),
  );
  const sums = new Map<string, { bytes: number; missing: number; unsized: number }>();
  for (const row of rows) {
    const [name = ''] = row.path.slice(prefix.length).split('/', 1);
    // The folder itself is missing until its own row is met.
    const sum = sums.get(name) ?? { bytes: 0, missing: 1, unsized: 0 };
    sum.bytes += Number(row.bytes);
    sum.unsized += Number(row.unsized);
    if (row.listedAt !== null) sum.missing += row.folderCount - 1;
    sums.set(name, sum);
  }
  return [...sums].flatMap(([name, { bytes, missing, unsized }]) => (missing === 0 && unsized === 0 ? [{ name, size: bytes }] : []));
}
