import { type RawBuilder, sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';

/** How much is done at once. */
interface Amounts {
  /** Ids that may be taken out of the index together: FTS5 then goes over their terms in a fifth of a second. */
  readonly together: number;
  /** Ids after which the index is merged, although more of them will follow. */
  readonly betweenMerges: number;
  /** Ids of one transaction, which takes some 30 ms. */
  readonly atOnce: number;
  /** Pages that one step of a merge writes, which takes some 40 ms. */
  readonly pages: number;
}

const usual: Amounts = { together: 100_000, betweenMerges: 1_000_000, atOnce: 1000, pages: 30 };

/** Bits of {@link isChosen}'s number, which halve what is left one after the other. */
const bits = 13;

/** Row of FTS5's structure record, which changes with each step of a merge: https://sqlite.org/fts5.html, "The Structure Record Format" */
const structureId = 10;

/**
 * Takes the ids of deleted entries (`search_gone`) out of SQLite's index of the search, in transactions that nobody notices. Can be aborted at any time and
 * repeated.
 *
 * FTS5 bounds a step of a merge by what it writes, so a step over nothing but deleted entries has no bound. While many are left, only every second of them is
 * therefore taken out, chosen evenly over all names, and the index merged before the next half.
 */
export async function dropGone(
  { db, engine, background }: Pick<OpenDatabase, 'db' | 'engine' | 'background'>,
  signal: AbortSignal,
  { together, betweenMerges, atOnce, pages }: Amounts = usual,
): Promise<void> {
  if (engine !== 'sqlite') return;
  const row = await db.selectFrom('search_index').select('unmerged').where('id', '=', 1).executeTakeFirst();
  let unmerged = row?.unmerged ?? 0;
  if (unmerged >= together) await merge();
  for (let bit = 0; bit < bits && (await hasMore()); bit++) await drop(isChosen(bit));
  await drop(sql`true`);

  async function hasMore(): Promise<boolean> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from search_gone limit ${together + 1})`.execute(db);
    return (rows[0]?.count ?? 0) > together;
  }

  async function drop(which: RawBuilder<unknown>): Promise<void> {
    for (let after = 0; ;) {
      signal.throwIfAborted();
      const { rows } = await sql<{ last: number | null }>`
        select max(id) as last from (select id from search_gone where id > ${after} order by id limit ${atOnce})`.execute(db);
      const last = rows[0]?.last ?? null;
      if (last === null) break;
      const some = sql`id > ${after} and id <= ${last} and ${which}`;
      const [, dropped] = await background.write([
        sql`update search_index set unmerged = unmerged + (select count(*) from search_gone where ${some}) where id = 1`.compile(db),
        // A trigger deletes them from the index.
        sql`delete from search_gone where ${some}`.compile(db),
      ]);
      unmerged += dropped?.changes ?? 0;
      after = last;
      if (unmerged >= betweenMerges) await merge();
    }
    if (unmerged >= together) await merge();
  }

  /** Writes the index anew without what was taken out. */
  async function merge(): Promise<void> {
    const structure = async (): Promise<string | undefined> => {
      const { rows } = await sql<{ block: string }>`select hex(block) as block from listing_search_data where id = ${structureId}`.execute(
        db,
      );
      return rows[0]?.block;
    };
    // FTS5 takes no number that JavaScript has bound. A negative one begins a merge of all parts, and others go on with it.
    const step = async (count: number): Promise<void> => {
      signal.throwIfAborted();
      await background.write([sql`insert into listing_search (listing_search, rank) values ('merge', ${sql.lit(count)})`.compile(db)]);
    };
    await step(-pages);
    for (let before: string | undefined, now = await structure(); now !== before; now = await structure()) {
      before = now;
      await step(pages);
    }
    await background.write([db.updateTable('search_index').set({ unmerged: 0 }).where('id', '=', 1).compile()]);
    unmerged = 0;
  }
}

/** Whether an id belongs to the half that the bit chooses; ids that follow each other are spread evenly (Fibonacci hashing). */
const isChosen = (bit: number) => sql`((id % 65536 * 40503) % 65536 >> ${sql.lit(15 - bit)}) & 1`;
