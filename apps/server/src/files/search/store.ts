import type { Entry } from '@sheaf/connectors';
import { type RawBuilder, sql } from 'kysely';
import { type ShownRow, entryOf } from '#/files/listings/rows/entry-rows.ts';
import { type ReadableFolder, isReadable, pathBelow } from '#/files/listings/rows/readable.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';
import { createConditions, isFiltered } from './conditions-store.ts';
import { type SearchQuery, anchorsOf } from './parse-query.ts';
import { slicesOf } from './slices-store.ts';

/** An entry that answers a query. */
export interface Candidate {
  readonly entry: Entry;
  /** Its folder, as a path in the searched link. */
  readonly folder: string;
}

/** What a search of a folder has given. */
export interface Looked {
  readonly found: readonly Candidate[];
  /** Number of entries that were compared, as `cost` counts them. */
  readonly cost: number;
  /** Whether the search stopped before it had looked through everything; more may answer the query. */
  readonly isPartial: boolean;
}

/** Limits of a search of a folder. */
export interface Bounds {
  /** Most entries found. */
  readonly limit: number;
  /** Entries that may be compared; the slice that exceeds it is the last. An entry that the index gives counts {@link costOfHit} times. */
  readonly cost: number;
  /** When to stop, as `performance.now()` tells it; the statement that runs then is the last. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** What is known of the folders below a searched one. */
export interface Knowledge {
  readonly known: number;
  readonly total: number;
  readonly oldest: number | undefined;
}

/** Entries that one statement goes through: a few milliseconds, after which the searches of others have their turn on the same thread. */
const scannedAtOnce = 20_000;
/** Entries of the index that Postgres is asked for at first: enough for a query that most of them answer. */
const firstHits = 2000;
/** What an entry that the index gives costs, compared with one in the order of the table: 27 instead of 2 µs were measured, on a busy machine. */
const costOfHit = 10;

/** Ids of a link's entries in the index, as the migration `029-search` gives them. */
const idsPerLink = 4_294_967_296;

type Row = ShownRow & { readonly folder: string };
/** A row of a slice, or none; with the number of entries that the index gave, and the lowest of their ids. */
type Hit = Partial<Row> & { readonly count: number; readonly last: number | null };

/** What the look through one slice has given. */
interface Slice {
  readonly rows: readonly Row[];
  readonly cost: number;
}

/** Looks through one slice of a search. */
type Step = (limit: number) => Promise<Slice>;

export type SearchStore = ReturnType<typeof createSearchStore>;

/** Finds entries of stored listings, in statements of `atOnce` entries each. */
export function createSearchStore(database: Pick<OpenDatabase, 'db' | 'engine' | 'sqlite' | 'aside'>, atOnce = scannedAtOnce) {
  const { db, engine } = database;
  const short = createRead(database);
  /** Scanning a large folder would block others. */
  const read = database.aside?.read ?? short;
  const { anchored, inFolders, filtered } = createConditions(engine);
  const byIndex = createConditions(engine, 'k');
  const shown = sql`e.name, e."isFile", e.size, e.modified, e.etag, e."mimeType", f.path as folder`;

  async function isIndexed(): Promise<boolean> {
    const rows = await short(db.selectFrom('search_index').select('state').where('id', '=', 1).compile());
    return rows[0]?.state === 'ready';
  }

  const select = async (from: RawBuilder<unknown>, searched: ReadableFolder, query: SearchQuery, limit: number): Promise<readonly Row[]> =>
    read<Row>(
      sql<Row>`select ${shown} from ${from} and ${isReadable(searched)} and ${inFolders(query)} and ${anchored(query)} and ${filtered(query)}
        limit ${limit}`.compile(db),
    );

  /** Goes through the tables: for texts that are too short for the index, and for filters alone. */
  async function* scanned(searched: ReadableFolder, query: SearchQuery): AsyncGenerator<Step, void, undefined> {
    for await (const { from, rows } of slicesOf({ db, engine, read }, searched, inFolders(query), atOnce))
      yield async (limit) => ({ rows: await select(from, searched, query, limit), cost: rows });
  }

  /**
   * Goes through the entries that the index of SQLite gives, newest first. The filters are decided by `listing_entry_search` alone (`k`), which has all that they
   * ask for: an entry that they refuse is not looked up. A step tells where the next one begins, so each is taken before another is asked for.
   */
  async function* hits(searched: ReadableFolder, query: SearchQuery): AsyncGenerator<Step, void, undefined> {
    const first = sql`(select number * ${sql.lit(idsPerLink)} from listing_link where "linkId" = ${searched.linkId})`;
    const match = anchorsOf(query)
      .map((word) => `(${trigramsOf(word).map(quote).join(' AND ')})`)
      .join(' OR ');
    const size = Math.ceil(atOnce / costOfHit);
    for (let below: number | null = idsPerLink; below !== null;) {
      const end: number = below;
      below = null;
      yield async (limit) => {
        const [head, ...others] = await read<Hit>(
          sql<Hit>`
            with hit as materialized (
              select s.rowid as id from listing_search s
              where s.listing_search match ${match} and s.rowid between ${first} and ${first} + ${end - 1} order by s.rowid desc limit ${size})
            select c.count, c.last, found.* from (select count(*) as count, min(id) - ${first} as last from hit) c left join (
              select ${shown} from hit h
              cross join listing_entry k indexed by listing_entry_search on k."searchId" = h.id
              cross join listing_folder f on f.id = k."folderId"
              cross join listing_entry e
                on e."folderId" = k."folderId" and e."isFile" = k."isFile" and e."sortKey" = k."sortKey" and e.name = k.name
              where ${isReadable(searched)} and ${inFolders(query)} and ${byIndex.anchored(query)} and ${byIndex.filtered(query)} limit ${limit}
            ) found on true`.compile(db),
        );
        const count = head?.count ?? 0;
        if (count === size) below = head?.last ?? null;
        return { rows: [...(head ? [head] : []), ...others].filter(isRow), cost: costOfHit * count };
      };
    }
  }

  /**
   * Postgres uses its index by itself. Looks at more of what it gives until the filters have left enough; without filters everything is an answer.
   */
  async function hitsOfPostgres(
    searched: ReadableFolder,
    query: SearchQuery,
    { limit, cost, until = Infinity, signal }: Bounds,
  ): Promise<Looked> {
    const most = Math.max(atOnce, Math.floor(cost / costOfHit));
    for (let size = isFiltered(query) ? Math.min(firstHits, most) : limit; ;) {
      signal.throwIfAborted();
      const begun = performance.now();
      const [first, ...others] = await read<Partial<Row> & { count: number }>(
        sql<Partial<Row> & { count: number }>`
          with hit as materialized (
            select e.name, e."isFile", e.size, e.modified, e.etag, e."mimeType", e.folded, e.extension, f.path, f."foldedPath"
            from listing_folder f join listing_entry e on e."folderId" = f.id
            where ${isReadable(searched)} and ${inFolders(query)} and ${anchored(query)} limit ${size})
          select c.count, found.* from (select cast(count(*) as bigint) as count from hit) c left join (
            select ${shown} from hit e cross join lateral (select e.path, e."foldedPath") f where ${filtered(query)} limit ${limit}
          ) found on true`.compile(db),
      );
      const count = first?.count ?? 0;
      const found = [...(first ? [first] : []), ...others].filter(isRow).map((row) => candidateOf(searched, row));
      const isPartial = count === size && found.length < limit;
      const ended = performance.now();
      // A statement for more begins anew, and takes as much longer.
      const growth = Math.floor(Math.min(10, (until - ended) / (ended - begun)));
      if (!isPartial || size === most || growth < 2) return { found, cost: costOfHit * count, isPartial };
      size = Math.min(growth * size, most);
    }
  }

  return {
    isIndexed,

    /**
     * Entries below the folder that answer the query, in no order; the rights are part of every statement. At least one slice is looked through, so
     * that a small folder is always searched completely.
     */
    async candidates(searched: ReadableFolder, query: SearchQuery, bounds: Bounds): Promise<Looked> {
      const anchors = anchorsOf(query);
      const isAnchored = anchors.length > 0 && anchors.every((word) => [...word].length >= 3) && (await isIndexed());
      if (isAnchored && engine === 'postgres') return hitsOfPostgres(searched, query, bounds);
      const found: Candidate[] = [];
      let cost = 0;
      for await (const step of isAnchored ? hits(searched, query) : scanned(searched, query)) {
        bounds.signal.throwIfAborted();
        const isOver = cost >= bounds.cost || (cost > 0 && performance.now() > (bounds.until ?? Infinity));
        if (isOver) return { found, cost, isPartial: true };
        const slice = await step(bounds.limit - found.length);
        for (const row of slice.rows) found.push(candidateOf(searched, row));
        cost += slice.cost;
        if (found.length >= bounds.limit) break;
      }
      return { found, cost, isPartial: false };
    },

    /** How much of the folder and what is below it is known: listed folders, and those that they contain. */
    async knowledge(searched: ReadableFolder): Promise<Knowledge> {
      type Counts = { readonly known: number; readonly top: number; readonly inside: number; readonly oldest: number | null };
      const [row] = await read<Counts>(
        sql<Counts>`
          select cast(count(*) as bigint) as known, cast(count(case when f.path = ${searched.path} then 1 end) as bigint) as top,
            cast(coalesce(sum(f."folderCount"), 0) as bigint) as inside, min(f."listedAt") as oldest
          from listing_folder f where ${isReadable(searched)} and f."listedAt" is not null`.compile(db),
      );
      const { known, top, inside, oldest } = row ?? { known: 0, top: 0, inside: 0, oldest: null };
      // A listing of a whole tree stores the folder itself last, after what is in it.
      const listed = top > 0 ? known : known + 1;
      return { known, total: Math.max(listed, inside + 1), oldest: oldest ?? undefined };
    },
  };
}

/** The count of a search that has found nothing comes without a row. */
const isRow = <Found extends Partial<Row>>(row: Found): row is Found & Row => typeof row.name === 'string';
const candidateOf = (searched: ReadableFolder, { folder, ...row }: Row): Candidate => ({
  entry: entryOf(row),
  folder: pathBelow(searched.path, folder),
});
const quote = (token: string): string => `"${token.replaceAll('"', '""')}"`;

/** Least characters before an extension whose trigrams are left out. */
const longStem = 7;

/**
 * Runs of three characters by which the index is asked. Of an extension after a long stem only the first letter counts: the others are in millions of
 * names, and the index goes through all of them. Each name that is found is compared with the whole word anyway.
 */
function trigramsOf(word: string): string[] {
  const all = [...word];
  const dot = all.lastIndexOf('.');
  const characters = dot >= longStem ? all.slice(0, dot + 2) : all;
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))];
}
