import { type Proof, type TransferState, planActions, proofs } from '@sheaf/contract';
import { sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type TransferRow = Database['transfer'];

/** Transfers that a sweep deletes before it looks for more, and items that it deletes in one statement, which takes milliseconds. */
const [sweptTogether, sliceSize] = [100, 1000];
/** Most transfers in one look for changes. */
const mostChanged = 1000;

/** Store of transfers; every change moves `changedAt`. */
export function createTransferStore(database: Pick<OpenDatabase, 'db' | 'sqlite' | 'aside' | 'background'>, now: () => number) {
  const { db } = database;
  /** Counts over all items of a plan, of which there may be a million. */
  const readLong = database.aside?.read ?? createRead(database);

  /** Deletes a transfer. Its items, of which there may be a million, go first and slice by slice. */
  async function remove(id: string): Promise<void> {
    const drop = dropFirst(id).compile(db);
    for (let dropped = 1; dropped > 0;) dropped = (await database.background.write([drop]))[0]?.changes ?? 0;
    await db.deleteFrom('transfer').where('id', '=', id).execute();
  }

  return {
    /** Stores a new transfer, unless one of its id or its idempotency key is there already. */
    async insert(row: TransferRow): Promise<void> {
      await db
        .insertInto('transfer')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Transfers of the account that have not ended, counted up to a number. */
    countUnfinished: async (accountId: string, upTo: number): Promise<number> =>
      (await db.selectFrom('transfer').select('id').where('accountId', '=', accountId).where('endedAt', 'is', null).limit(upTo).execute())
        .length,

    findByKey: (accountId: string, idempotencyKey: string): Promise<TransferRow | undefined> =>
      db
        .selectFrom('transfer')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('idempotencyKey', '=', idempotencyKey)
        .executeTakeFirst(),

    find: (accountId: string, id: string): Promise<TransferRow | undefined> =>
      db.selectFrom('transfer').selectAll().where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst(),

    async list(accountId: string, offset: number, limit: number): Promise<{ rows: TransferRow[]; total: number }> {
      const all = db.selectFrom('transfer').where('accountId', '=', accountId);
      const [rows, { count }] = await Promise.all([
        all.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute(),
        all.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow(),
      ]);
      return { rows, total: Number(count) };
    },

    /** The account's transfers that have ended and done something, but for those of schedules, the newest first. */
    ended: (accountId: string, limit: number): Promise<TransferRow[]> =>
      db
        .selectFrom('transfer')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('endedAt', 'is not', null)
        .where('itemsDone', '>', 0)
        .where('scheduleId', 'is', null)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** The account's transfers that have changed since then, the oldest change first. */
    changedSince: (accountId: string, since: number): Promise<TransferRow[]> =>
      db
        .selectFrom('transfer')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('changedAt', '>', since)
        .orderBy('changedAt')
        .limit(mostChanged)
        .execute(),

    /** Changes the transfer if it is in one of these states; returns it, or undefined. */
    change: (id: string, from: readonly TransferState[], change: Partial<TransferRow>): Promise<TransferRow | undefined> =>
      db
        .updateTable('transfer')
        .set({ ...change, changedAt: now() })
        .where('id', '=', id)
        .where('state', 'in', from)
        .returningAll()
        .executeTakeFirst(),

    /** A worker takes the transfer on: later writes of an earlier worker are refused. */
    begin: (id: string): Promise<TransferRow | undefined> =>
      db
        .updateTable('transfer')
        .set((by) => ({ run: by('run', '+', 1), changedAt: now() }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    /** Changes the transfer in the name of a run; undefined when another worker has it, or the user has changed its state since. */
    write: (
      { id, run, state }: Pick<TransferRow, 'id' | 'run' | 'state'>,
      change: Partial<TransferRow>,
    ): Promise<TransferRow | undefined> =>
      db
        .updateTable('transfer')
        .set({ ...change, changedAt: now() })
        .where('id', '=', id)
        .where('run', '=', run)
        .where('state', '=', state)
        .returningAll()
        .executeTakeFirst(),

    /** Items and bytes of the plan. */
    async sums(id: string): Promise<Pick<TransferRow, 'itemsTotal' | 'bytesTotal' | 'problems' | 'itemsDone' | 'itemsFailed'>> {
      const query = db
        .selectFrom('transferItem')
        .select(({ fn, eb }) => [
          fn.sum<number>(eb.case().when('action', 'not in', ['skip', 'problem']).then(1).else(0).end()).as('itemsTotal'),
          fn
            .sum<number>(
              eb
                .case()
                .when('action', 'not in', ['skip', 'problem', 'delete'])
                .then(sql<number>`coalesce(size, 0)`)
                .else(0)
                .end(),
            )
            .as('bytesTotal'),
          fn.sum<number>(eb.case().when('action', '=', 'problem').then(1).else(0).end()).as('problems'),
          fn.sum<number>(eb.case().when('state', '=', 'done').then(1).else(0).end()).as('itemsDone'),
          fn.sum<number>(eb.case().when('state', '=', 'failed').then(1).else(0).end()).as('itemsFailed'),
        ])
        .where('transferId', '=', id);
      const [row] = await readLong(query.compile());
      return {
        itemsTotal: Number(row?.itemsTotal ?? 0),
        bytesTotal: Number(row?.bytesTotal ?? 0),
        problems: Number(row?.problems ?? 0),
        itemsDone: Number(row?.itemsDone ?? 0),
        itemsFailed: Number(row?.itemsFailed ?? 0),
      };
    },

    /** Items of each action. */
    async counts(id: string): Promise<Record<(typeof planActions)[number], number>> {
      const query = db
        .selectFrom('transferItem')
        .select(({ fn }) => ['action', fn.countAll().as('count')])
        .where('transferId', '=', id)
        .groupBy('action');
      const rows = await readLong(query.compile());
      const counts = new Map(rows.map(({ action, count }) => [action, Number(count)]));
      return Object.fromEntries(planActions.map((action) => [action, counts.get(action) ?? 0])) as Record<
        (typeof planActions)[number],
        number
      >;
    },

    /** Files to be moved whose size is not known. */
    async unknownSizes(id: string): Promise<number> {
      const query = db
        .selectFrom('transferItem')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('transferId', '=', id)
        .where('isFolder', '=', 0)
        .where('size', 'is', null)
        .where('action', 'not in', ['skip', 'problem']);
      const [row] = await readLong(query.compile());
      return Number(row?.count ?? 0);
    },

    /** Finished files by how each was proven. */
    async proofs(id: string): Promise<Record<Proof, number>> {
      const rows = await db
        .selectFrom('transferItem')
        .select(({ fn }) => ['proof', fn.countAll().as('count')])
        .where('transferId', '=', id)
        .where('isFolder', '=', 0)
        .where('state', '=', 'done')
        .groupBy('proof')
        .execute();
      const counts = new Map(rows.map(({ proof, count }) => [proof ?? 'none', Number(count)]));
      return Object.fromEntries(proofs.map((proof) => [proof, counts.get(proof) ?? 0])) as Record<Proof, number>;
    },

    /** Transfers without a schedule that ended before that time and still keep what they replaced or deleted. */
    withVersions: (before: number, limit: number): Promise<Pick<TransferRow, 'id' | 'accountId'>[]> =>
      db
        .selectFrom('transfer')
        .select(['id', 'accountId'])
        .where('endedAt', '<', before)
        .where(({ or, eb }) => or([eb('kind', '<>', 'mirror'), eb('scheduleId', 'is', null)]))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('transferItem')
              .select('seq')
              .whereRef('transferItem.transferId', '=', 'transfer.id')
              .where('version', 'is not', null),
          ),
        )
        .orderBy('endedAt')
        .limit(limit)
        .execute(),

    /** Deletes all transfers of an account, before it is deleted itself: as part of it their items would go in one statement, which blocks everybody. */
    async removeAll(accountId: string): Promise<void> {
      const rows = await db.selectFrom('transfer').select('id').where('accountId', '=', accountId).execute();
      for (const { id } of rows) await remove(id);
    },

    /**
     * Deletes transfers that ended before that time, but for runs of schedules whose kept files are still to be removed, and plans that nobody has touched
     * since `planned`.
     */
    async sweep({ ended, planned }: { readonly ended: number; readonly planned: number }): Promise<void> {
      // In one statement, so that none is started while its items are deleted.
      await db
        .updateTable('transfer')
        .set({ state: 'canceled', endedAt: 0 })
        .where('state', '=', 'planned')
        .where('changedAt', '<', planned)
        .execute();
      for (;;) {
        const due = await db
          .selectFrom('transfer')
          .select('id')
          .where('endedAt', '<', ended)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('schedule')
                  .select('schedule.id')
                  .whereRef('schedule.id', '=', 'transfer.scheduleId')
                  .where(({ eb, or }) => or([eb('versionDays', 'is not', null), eb('versionRuns', 'is not', null)]))
                  .where((where) =>
                    where.exists(
                      where
                        .selectFrom('transferItem')
                        .select('seq')
                        .whereRef('transferItem.transferId', '=', 'transfer.id')
                        .where('version', 'is not', null),
                    ),
                  ),
              ),
            ),
          )
          .limit(sweptTogether)
          .execute();
        for (const { id } of due) await remove(id);
        if (due.length < sweptTogether) return;
      }
    },
  };
}

/** Deletes the first items of a transfer. */
const dropFirst = (transferId: string) => sql`
  delete from "transferItem" where "transferId" = ${transferId} and seq in
    (select seq from "transferItem" where "transferId" = ${transferId} order by seq limit ${sliceSize})`;

export type TransferStore = ReturnType<typeof createTransferStore>;
