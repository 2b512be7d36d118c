import type { Entry } from '@sheaf/connectors';
import { type RawBuilder, sql } from 'kysely';
import { type ShownRow, entryOf } from '#/files/listings/rows/entry-rows.ts';
import { type ReadableFolder, isReadable, pathBelow } from '#/files/listings/rows/readable.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';
import { type SearchQuery, anchorsOf } from './parse-query.ts';

/** An entry that answers a query. */
export interface Candidate {
  readonly entry: Entry;
  /** Its folder, as a path in the searched link. */
  readonly folder: string;
}

/** What is known of the folders below a searched one. */
export interface Knowledge {
  readonly known: number;
  readonly total: number;
  readonly oldest: number | undefined;
}

/** Ids of a link's entries in the index, as the migration `029-search` gives them. */
const idsPerLink = 4_294_967_296;

export type SearchStore = ReturnType<typeof createSearchStore>;

/** Finds entries of stored listings. */
export function createSearchStore(database: Pick<OpenDatabase, 'db' | 'engine' | 'sqlite' | 'aside'>) {
  const { db, engine } = database;
  const short = createRead(database);
  /** Scanning a large folder would block others. */
  const read = database.aside?.read ?? short;
  const name = engine === 'postgres' ? sql`(coalesce(e.folded, e.name) collate "C")` : sql`coalesce(e.folded, e.name)`;
  const path = sql`coalesce(f."foldedPath", lower(f.path))`;
  const has = (text: RawBuilder<unknown>, part: string): RawBuilder<unknown> =>
    engine === 'postgres' ? sql`${text} like ${`%${escapeLike(part)}%`}` : sql`instr(${text}, ${part}) > 0`;

  function filtersOf(query: SearchQuery): RawBuilder<unknown> {
    const { words, folders, extensions, kind, largerThan, smallerThan, modified } = query;
    const anchors = anchorsOf(query);
    const conditions = [
      ...(anchors.length > 0
        ? [
            sql`(${sql.join(
              anchors.map((word) => has(name, word)),
              sql` or `,
            )})`,
          ]
        : []),
      ...(words.length > 1 ? words.map((word) => sql`(${has(name, word)} or ${has(path, word)})`) : []),
      ...folders.map((word) => has(path, word)),
      ...(kind ? [sql`e."isFile" = ${sql.lit(kind === 'file' ? 1 : 0)}`] : []),
      ...(extensions ? [sql`e.extension in (${sql.join(extensions)})`] : []),
      ...(largerThan !== undefined ? [sql`e.size > ${Math.trunc(largerThan)}`] : []),
      ...(smallerThan !== undefined ? [sql`e.size < ${Math.ceil(smallerThan)}`] : []),
      ...(modified ? [sql`e.modified >= ${modified.from} and e.modified < ${modified.to}`] : []),
    ];
    return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  }

  async function isIndexed(): Promise<boolean> {
    const rows = await short(db.selectFrom('search_index').select('state').where('id', '=', 1).compile());
    return rows[0]?.state === 'ready';
  }

  /** The index of SQLite is asked explicitly, for texts that consist of trigrams; Postgres decides by itself. */
  async function sourceOf(
    query: SearchQuery,
    { linkId }: ReadableFolder,
  ): Promise<{ from: RawBuilder<unknown>; order: RawBuilder<unknown> }> {
    const anchors = anchorsOf(query);
    const isScan = engine === 'postgres' || anchors.length === 0 || anchors.some((word) => [...word].length < 3) || !(await isIndexed());
    if (isScan) return { from: sql`listing_folder f join listing_entry e on e."folderId" = f.id where true`, order: sql`` };
    const first = sql`(select number * ${sql.lit(idsPerLink)} from listing_link where "linkId" = ${linkId})`;
    const from = sql`listing_search s
      cross join listing_entry e indexed by listing_entry_search on e."searchId" = s.rowid
      cross join listing_folder f on f.id = e."folderId"
      where s.listing_search match ${anchors.map((word) => `(${trigramsOf(word).map(quote).join(' AND ')})`).join(' OR ')}
        and s.rowid between ${first} and ${first} + ${sql.lit(idsPerLink - 1)}`;
    // The newest first, of more than are ranked.
    return { from, order: sql`order by s.rowid desc` };
  }

  return {
    isIndexed,

    /** Entries below the folder that answer the query, at most `limit`, in no order; the rights are part of the statement. */
    async candidates(searched: ReadableFolder, query: SearchQuery, limit: number): Promise<Candidate[]> {
      const { from, order } = await sourceOf(query, searched);
      const rows = await read<ShownRow & { folder: string }>(
        sql<ShownRow & { folder: string }>`
          select e.name, e."isFile", e.size, e.modified, e.etag, e."mimeType", f.path as folder
          from ${from} and ${isReadable(searched)} and ${filtersOf(query)} ${order} limit ${limit}`.compile(db),
      );
      return rows.map(({ folder, ...row }) => ({ entry: entryOf(row), folder: pathBelow(searched.path, folder) }));
    },

    /** How much of the folder and what is below it is known: listed folders, and those that they contain. */
    async knowledge(searched: ReadableFolder): Promise<Knowledge> {
      const [row] = await read<{ known: number; inside: number; oldest: number | null }>(
        sql<{ known: number; inside: number; oldest: number | null }>`
          select cast(count(*) as bigint) as known, cast(coalesce(sum(f."folderCount"), 0) as bigint) as inside, min(f."listedAt") as oldest
          from listing_folder f where ${isReadable(searched)} and f."listedAt" is not null`.compile(db),
      );
      const known = row?.known ?? 0;
      return { known, total: Math.max(known, (row?.inside ?? 0) + 1), oldest: row?.oldest ?? undefined };
    },
  };
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const quote = (token: string): string => `"${token.replaceAll('"', '""')}"`;

/** All runs of three characters. */
function trigramsOf(word: string): string[] {
  const characters = [...word];
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))];
}
