import type { PlanAction, PlanReason, TransferItemState } from '@sheaf/contract';
import { type RawBuilder, sql } from 'kysely';
import { listOf } from '#/files/listings/rows/entry-rows.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type ItemRow = Database['transferItem'];
export type NewItem = Omit<
  ItemRow,
  | 'transferId'
  | 'attempts'
  | 'session'
  | 'parts'
  | 'proof'
  | 'sourceHash'
  | 'computedHash'
  | 'destinationHash'
  | 'made'
  | 'version'
  | 'undo'
  | 'error'
>;

/** The items that a decision is about; all where neither is given. */
export interface ItemChoice {
  readonly seqs?: readonly number[] | undefined;
  readonly reason?: PlanReason | undefined;
}

export interface ItemFilter {
  readonly only?: PlanAction | undefined;
  readonly state?: TransferItemState | undefined;
}

/** Value of `isListed` for a folder that was planned from a stored listing, which the run compares with its source. */
export const listedFromStore = 2;
/** Reasons for another name that can be decided otherwise. */
const forcedReasons: readonly PlanReason[] = ['name_characters', 'name_reserved', 'name_length', 'path_length', 'case_twin'];
/** Rows of one insert: takes a few milliseconds. */
const insertBatch = 500;

/** Columns of a new item, and their types on Postgres. */
const newColumns = {
  seq: 'bigint',
  parentSeq: 'bigint',
  source: 'integer',
  fromPath: 'text',
  toPath: 'text',
  isFolder: 'integer',
  size: 'bigint',
  modified: 'bigint',
  etag: 'text',
  action: 'text',
  reason: 'text',
  takenModified: 'bigint',
  isListed: 'integer',
  isWhole: 'integer',
  state: 'text',
} as const satisfies Readonly<Record<keyof NewItem, string>>;
const newNames = Object.keys(newColumns) as readonly (keyof NewItem)[];

/** One statement for any number of rows, which has one parameter for all: compiling one for each would hold up everybody else. */
function insertion(engine: Engine, transferId: string, items: readonly NewItem[]): RawBuilder<unknown> {
  const listed = listOf(engine, JSON.stringify(items.map((item) => newNames.map((name) => item[name]))));
  const columns = sql.join(newNames.map((name) => sql.ref(name)));
  const values = sql.join(newNames.map((name, at) => sql`cast(value->>${sql.lit(at)} as ${sql.raw(newColumns[name])})`));
  return sql`insert into "transferItem" ("transferId", attempts, ${columns}) select ${transferId}, 0, ${values} from ${listed} where true`;
}

/** Store of a transfer's items. */
export function createItemStore(
  database: Pick<OpenDatabase, 'db' | 'engine' | 'background' | 'grouped' | 'unsynced' | 'sqlite' | 'aside'>,
) {
  const { db, engine, background, grouped, unsynced } = database;
  /** Reads that pass over many items of a plan, of which there may be a million. */
  const readLong = database.aside?.read ?? createRead(database);
  const of = (transferId: string) => db.selectFrom('transferItem').where('transferId', '=', transferId);

  const filtered = (transferId: string, { only, state }: ItemFilter) => {
    const all = of(transferId);
    const acting = only === undefined ? all : all.where('action', '=', only);
    return state === undefined ? acting : acting.where('state', '=', state);
  };

  const chosen = (transferId: string, { seqs, reason }: ItemChoice, after: number, limit: number) => {
    const waiting = of(transferId).selectAll().where('state', '=', 'waiting').where('seq', '>', after).orderBy('seq').limit(limit);
    const these = seqs === undefined ? waiting : waiting.where('seq', 'in', seqs);
    return reason === undefined ? these : these.where('reason', '=', reason);
  };

  return {
    /** Stores items of a plan in short transactions beside those of requests. */
    async insert(transferId: string, items: readonly NewItem[]): Promise<void> {
      for (let at = 0; at < items.length; at += insertBatch)
        await background.write([insertion(engine, transferId, items.slice(at, at + insertBatch)).compile(db)]);
    },

    /** Notes that the folder's items are planned: after them, in the order of writing, so that a power cut cannot keep this and lose them. */
    async listed(transferId: string, seq: number, isStored: boolean): Promise<void> {
      const isListed = isStored ? listedFromStore : 1;
      const update = db.updateTable('transferItem').set({ isListed }).where('transferId', '=', transferId).where('seq', '=', seq);
      await background.write([update.compile()]);
    },

    async lastSeq(transferId: string): Promise<number> {
      const row = await of(transferId)
        .select(({ fn }) => fn.max('seq').as('seq'))
        .executeTakeFirst();
      return row?.seq === null || row?.seq === undefined ? 0 : Number(row.seq);
    },

    /** Folders whose content is still to be listed, in order. */
    unlisted: (transferId: string, limit: number): Promise<ItemRow[]> =>
      of(transferId)
        .selectAll()
        .where('isListed', '=', 0)
        .where('action', 'not in', ['problem', 'skip'])
        .orderBy('seq')
        .limit(limit)
        .execute(),

    /** Removes what an interrupted listing of the folder has stored: always the last items. */
    async removeChildren(transferId: string, { seq }: Pick<ItemRow, 'seq'>, firstSeq?: number): Promise<void> {
      const children = db.deleteFrom('transferItem').where('transferId', '=', transferId).where('parentSeq', '=', seq);
      await (firstSeq === undefined ? children : children.where('seq', '>=', firstSeq)).execute();
    },

    /** Items of the plan from that number on, in order. */
    from: (transferId: string, seq: number, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('seq', '>=', seq).orderBy('seq').limit(limit).execute(),

    /** Folders that were planned from a stored listing, in order. */
    unconfirmed: (transferId: string, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('isListed', '=', listedFromStore).orderBy('seq').limit(limit).execute(),

    async hasChildren(transferId: string, parentSeq: number): Promise<boolean> {
      return (await of(transferId).select('seq').where('parentSeq', '=', parentSeq).limit(1).execute()).length > 0;
    },

    /** Names that the folder's plan holds, by their paths at the source. */
    async *children(transferId: string, parentSeq: number): AsyncGenerator<readonly string[]> {
      for (let after = 0; ;) {
        const rows = await of(transferId)
          .select(['seq', 'fromPath'])
          .where('parentSeq', '=', parentSeq)
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(insertBatch)
          .execute();
        yield rows.map(({ fromPath }) => fromPath);
        after = rows.at(-1)?.seq ?? after;
        if (rows.length < insertBatch) return;
      }
    },

    /** The next items to run, in order. */
    next: (transferId: string, after: number, limit: number): Promise<ItemRow[]> =>
      of(transferId)
        .selectAll()
        .where('state', 'in', ['waiting', 'running'])
        .where('action', 'not in', ['problem', 'skip', 'delete'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute(),

    /** Folders of a finished move that may be empty at the source by now, the deepest first. */
    movedFolders: (transferId: string, before: number, limit: number): Promise<ItemRow[]> =>
      of(transferId)
        .selectAll()
        .where('isFolder', '=', 1)
        .where('state', '=', 'done')
        .where('seq', '<', before)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute(),

    /** What the transfer has made, the last first. */
    madeItems: (transferId: string, before: number, limit: number): Promise<ItemRow[]> =>
      of(transferId)
        .selectAll()
        .where('state', '=', 'done')
        .where(({ eb, or }) => or([eb('action', 'in', ['create', 'rename', 'delete']), eb('version', 'is not', null)]))
        .where('seq', '<', before)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute(),

    page: async (transferId: string, filter: ItemFilter, offset: number, limit: number): Promise<ItemRow[]> =>
      readLong(filtered(transferId, filter).selectAll().orderBy('seq').offset(offset).limit(limit).compile()),

    async count(transferId: string, filter: ItemFilter): Promise<number> {
      const query = filtered(transferId, filter).select(({ fn }) => fn.countAll().as('count'));
      const [row] = await readLong(query.compile());
      return Number(row?.count ?? 0);
    },

    /** Files after that one, for reports. */
    filesAfter: (transferId: string, seq: number, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('isFolder', '=', 0).where('seq', '>', seq).orderBy('seq').limit(limit).execute(),

    /** Items whose name is taken, in order. */
    taken: (transferId: string, choice: ItemChoice, after: number, limit: number): Promise<ItemRow[]> =>
      chosen(transferId, choice, after, limit).where('takenModified', 'is not', null).execute(),

    /** Items that get another name because the destination cannot store theirs, in order. */
    forced: (transferId: string, choice: ItemChoice, after: number, limit: number): Promise<ItemRow[]> =>
      chosen(transferId, choice, after, limit)
        .where('reason', 'in', forcedReasons)
        .where('action', 'in', ['rename', 'skip'])
        .where('takenModified', 'is', null)
        .execute(),

    /** Removes the plan of everything in a folder. */
    async removeBelow(transferId: string, seq: number): Promise<void> {
      await sql`
        with recursive below(seq) as (
          select seq from "transferItem" where "transferId" = ${transferId} and "parentSeq" = ${seq}
          union all
          select item.seq from "transferItem" as item join below on item."parentSeq" = below.seq where item."transferId" = ${transferId}
        )
        delete from "transferItem" where "transferId" = ${transferId} and seq in (select seq from below)`.execute(db);
    },

    /** Changes an item of a plan, before it runs. */
    async plan(transferId: string, seq: number, change: Partial<ItemRow>): Promise<void> {
      await db.updateTable('transferItem').set(change).where('transferId', '=', transferId).where('seq', '=', seq).execute();
    },

    /** Marks waiting items as running in the name of that run; false when another worker has the transfer. */
    begin: (transferId: string, seqs: readonly number[], run: number): Promise<boolean> =>
      grouped(async (handle) => {
        const begun = await handle
          .updateTable('transferItem')
          .set({ state: 'running' })
          .where('transferId', '=', transferId)
          .where('seq', 'in', seqs)
          .where(sql<boolean>`exists (select 1 from transfer where id = ${transferId} and run = ${run})`)
          .returning('seq')
          .execute();
        return begun.length > 0;
      }),

    /**
     * Changes an item in the name of that run; false when another worker has the transfer. A change that the next worker can find out again (`isRepeatable`)
     * does not wait for the disk: a power cut may lose it.
     */
    write(transferId: string, seq: number, run: number, change: Partial<ItemRow>, isRepeatable = false): Promise<boolean> {
      const writeWith = async (handle: Db): Promise<boolean> => {
        const written = await handle
          .updateTable('transferItem')
          .set(change)
          .where('transferId', '=', transferId)
          .where('seq', '=', seq)
          .where(sql<boolean>`exists (select 1 from transfer where id = ${transferId} and run = ${run})`)
          .returning('seq')
          .executeTakeFirst();
        return written !== undefined;
      };
      return isRepeatable ? writeWith(unsynced) : grouped(writeWith);
    },

    /** Failed items run again: those of these numbers, or all. */
    async retry(transferId: string, seqs?: readonly number[]): Promise<void> {
      const failed = db
        .updateTable('transferItem')
        .set({ state: 'waiting', attempts: 0, error: null })
        .where('transferId', '=', transferId)
        .where('state', '=', 'failed');
      await (seqs === undefined ? failed : failed.where('seq', 'in', seqs)).execute();
    },

    /** Bytes of finished files, and of confirmed parts of unfinished ones. */
    async bytesDone(transferId: string): Promise<{ readonly done: number; readonly inParts: number }> {
      const { done } = await of(transferId)
        .select(({ fn }) => fn.sum<number>('size').as('done'))
        .where('state', '=', 'done')
        .where('action', '<>', 'delete')
        .executeTakeFirstOrThrow();
      const begun = await of(transferId).select('parts').where('parts', 'is not', null).execute();
      const sizes = begun.map(({ parts }) => JSON.parse(parts ?? '{}') as { readonly parts?: readonly { readonly size: number }[] });
      return { done: Number(done ?? 0), inParts: sizes.flatMap(({ parts = [] }) => parts).reduce((sum, { size }) => sum + size, 0) };
    },

    /** Items that an undo has left. */
    async leftByUndo(transferId: string): Promise<number> {
      const { count } = await of(transferId)
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', 'done')
        .where('undo', '=', 'left')
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Items whose old file is kept. */
    versions: (transferId: string, after: number, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('version', 'is not', null).where('seq', '>', after).orderBy('seq').limit(limit).execute(),

    /** Items with an upload at the destination that has not ended. */
    uploads: (transferId: string, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('session', 'is not', null).orderBy('seq').limit(limit).execute(),
  };
}
export type ItemStore = ReturnType<typeof createItemStore>;
