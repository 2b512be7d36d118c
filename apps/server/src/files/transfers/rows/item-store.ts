import type { PlanAction, TransferItemState } from '@sheaf/contract';
import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type ItemRow = Database['transferItem'];
export type NewItem = Omit<
  ItemRow,
  'transferId' | 'attempts' | 'session' | 'parts' | 'proof' | 'sourceHash' | 'computedHash' | 'destinationHash' | 'made' | 'error'
>;

export interface ItemFilter {
  readonly only?: PlanAction | undefined;
  readonly state?: TransferItemState | undefined;
}

/** Rows of one insert: SQLite takes 32,766 parameters. */
const insertBatch = 1000;

const blank = {
  attempts: 0,
  session: null,
  parts: null,
  proof: null,
  sourceHash: null,
  computedHash: null,
  destinationHash: null,
  made: null,
  error: null,
} as const;

/** Store of a transfer's items. */
export function createItemStore(db: Db) {
  const of = (transferId: string) => db.selectFrom('transferItem').where('transferId', '=', transferId);

  const filtered = (transferId: string, { only, state }: ItemFilter) => {
    const all = of(transferId);
    const acting = only === undefined ? all : all.where('action', '=', only);
    return state === undefined ? acting : acting.where('state', '=', state);
  };

  return {
    async insert(transferId: string, items: readonly NewItem[]): Promise<void> {
      for (let at = 0; at < items.length; at += insertBatch)
        await db
          .insertInto('transferItem')
          .values(items.slice(at, at + insertBatch).map((item) => ({ transferId, ...item, ...blank })))
          .execute();
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

    /** Removes what an interrupted listing of the folder has stored. */
    async removeChildren(transferId: string, parentSeq: number): Promise<void> {
      await db.deleteFrom('transferItem').where('transferId', '=', transferId).where('parentSeq', '=', parentSeq).execute();
    },

    /** The next items to run, in order. */
    next: (transferId: string, after: number, limit: number): Promise<ItemRow[]> =>
      of(transferId)
        .selectAll()
        .where('state', 'in', ['waiting', 'running'])
        .where('action', 'not in', ['problem', 'skip'])
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
        .where('action', 'in', ['create', 'rename'])
        .where('seq', '<', before)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute(),

    page: (transferId: string, filter: ItemFilter, offset: number, limit: number): Promise<ItemRow[]> =>
      filtered(transferId, filter).selectAll().orderBy('seq').offset(offset).limit(limit).execute(),

    async count(transferId: string, filter: ItemFilter): Promise<number> {
      const { count } = await filtered(transferId, filter)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Files after that one, for reports. */
    filesAfter: (transferId: string, seq: number, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('isFolder', '=', 0).where('seq', '>', seq).orderBy('seq').limit(limit).execute(),

    /** Items whose name is taken: all, or those. */
    taken: (transferId: string, after: number, limit: number, seqs?: readonly number[]): Promise<ItemRow[]> => {
      const all = of(transferId)
        .selectAll()
        .where('takenModified', 'is not', null)
        .where('state', '=', 'waiting')
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit);
      return (seqs === undefined ? all : all.where('seq', 'in', seqs)).execute();
    },

    /** Changes an item of a plan, before it runs. */
    async plan(transferId: string, seq: number, change: Partial<ItemRow>): Promise<void> {
      await db.updateTable('transferItem').set(change).where('transferId', '=', transferId).where('seq', '=', seq).execute();
    },

    /** Changes an item in the name of that run; false when another worker has the transfer. */
    async write(transferId: string, seq: number, run: number, change: Partial<ItemRow>): Promise<boolean> {
      const written = await db
        .updateTable('transferItem')
        .set(change)
        .where('transferId', '=', transferId)
        .where('seq', '=', seq)
        .where(sql<boolean>`exists (select 1 from transfer where id = ${transferId} and run = ${run})`)
        .returning('seq')
        .executeTakeFirst();
      return written !== undefined;
    },

    /** Failed items run again. */
    async retry(transferId: string): Promise<void> {
      await db
        .updateTable('transferItem')
        .set({ state: 'waiting', attempts: 0, error: null })
        .where('transferId', '=', transferId)
        .where('state', '=', 'failed')
        .execute();
    },

    /** Bytes of finished files, and of confirmed parts of unfinished ones. */
    async bytesDone(transferId: string): Promise<{ readonly done: number; readonly inParts: number }> {
      const { done } = await of(transferId)
        .select(({ fn }) => fn.sum<number>('size').as('done'))
        .where('state', '=', 'done')
        .executeTakeFirstOrThrow();
      const begun = await of(transferId).select('parts').where('parts', 'is not', null).execute();
      const sizes = begun.map(({ parts }) => JSON.parse(parts ?? '{}') as { readonly parts?: readonly { readonly size: number }[] });
      return { done: Number(done ?? 0), inParts: sizes.flatMap(({ parts = [] }) => parts).reduce((sum, { size }) => sum + size, 0) };
    },

    /** Items with an upload at the destination that has not ended. */
    uploads: (transferId: string, limit: number): Promise<ItemRow[]> =>
      of(transferId).selectAll().where('session', 'is not', null).orderBy('seq').limit(limit).execute(),
  };
}
export type ItemStore = ReturnType<typeof createItemStore>;
