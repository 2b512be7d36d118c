import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type ScheduleRow = Database['schedule'];

/** Most schedules of one look. */
const mostAtOnce = 500;

/** Store of schedules. */
export function createScheduleStore(db: Db) {
  return {
    /** Stores a schedule unless the account has one of that name, or `most` already. */
    insert: (row: ScheduleRow, most: number): Promise<'added' | 'taken' | 'full'> =>
      db.transaction().execute(async (transaction) => {
        // Locks the account's row until commit, so that of two schedules made at once the second one is counted.
        await transaction.updateTable('account').set({ id: row.accountId }).where('id', '=', row.accountId).execute();
        const { count } = await transaction
          .selectFrom('schedule')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('accountId', '=', row.accountId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return 'full';
        const inserted = await transaction
          .insertInto('schedule')
          .values(row)
          .onConflict((conflict) => conflict.columns(['accountId', 'nameKey']).doNothing())
          .returning('id')
          .executeTakeFirst();
        return inserted === undefined ? 'taken' : 'added';
      }),

    find: (accountId: string, id: string): Promise<ScheduleRow | undefined> =>
      db.selectFrom('schedule').selectAll().where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst(),
    findByName: (accountId: string, nameKey: string): Promise<ScheduleRow | undefined> =>
      db.selectFrom('schedule').selectAll().where('nameKey', '=', nameKey).where('accountId', '=', accountId).executeTakeFirst(),
    list: (accountId: string): Promise<ScheduleRow[]> =>
      db.selectFrom('schedule').selectAll().where('accountId', '=', accountId).orderBy('nameKey').execute(),

    async change(id: string, change: Partial<ScheduleRow>): Promise<void> {
      await db.updateTable('schedule').set(change).where('id', '=', id).execute();
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('schedule').where('id', '=', id).execute();
    },

    /** Schedules whose time has come, and those whose run was claimed by a process that ended. */
    due: (now: number): Promise<ScheduleRow[]> =>
      db
        .selectFrom('schedule')
        .selectAll()
        .where((where) =>
          where.or([where.and([where('nextRunAt', '<=', now), where('pausedAt', 'is', null)]), where('pendingTransferId', 'is not', null)]),
        )
        .orderBy('nextRunAt')
        .limit(mostAtOnce)
        .execute(),

    /** Claims the next run; false when another process has claimed or created one since `row` was read. */
    async claim({ id, lastTransferId }: ScheduleRow, transferId: string): Promise<boolean> {
      const free = db
        .updateTable('schedule')
        .set({ pendingTransferId: transferId })
        .where('id', '=', id)
        .where('pendingTransferId', 'is', null);
      const claimed =
        lastTransferId === null ? free.where('lastTransferId', 'is', null) : free.where('lastTransferId', '=', lastTransferId);
      return (await claimed.returning('id').executeTakeFirst()) !== undefined;
    },

    /** Ends the claim of that run. */
    async settle(id: string, transferId: string, change: Partial<ScheduleRow>): Promise<void> {
      await db
        .updateTable('schedule')
        .set({ ...change, pendingTransferId: null })
        .where('id', '=', id)
        .where('pendingTransferId', '=', transferId)
        .execute();
    },

    /** Schedules whose last run has ended, or asks, without having been seen so. */
    ended: (): Promise<ScheduleRow[]> =>
      db
        .selectFrom('schedule')
        .innerJoin('transfer', 'transfer.id', 'schedule.lastTransferId')
        .selectAll('schedule')
        .where('transfer.state', 'in', ['planned', 'done', 'failed', 'canceled'])
        .where((where) =>
          where.or([where('seenTransferId', 'is', null), where('seenTransferId', '<>', where.ref('schedule.lastTransferId'))]),
        )
        .limit(mostAtOnce)
        .execute(),

    /** Schedules that do not keep everything for ever. */
    expiring: (): Promise<ScheduleRow[]> =>
      db
        .selectFrom('schedule')
        .selectAll()
        .where((where) => where.or([where('versionDays', 'is not', null), where('versionRuns', 'is not', null)]))
        .execute(),

    /** Ended runs that keep files in dated folders, the latest first. */
    keepingRuns: (id: string): Promise<Pick<Database['transfer'], 'id' | 'accountId' | 'endedAt'>[]> =>
      db
        .selectFrom('transfer')
        .select(['id', 'accountId', 'endedAt'])
        .where('scheduleId', '=', id)
        .where('endedAt', 'is not', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('transferItem')
              .select('seq')
              .whereRef('transferItem.transferId', '=', 'transfer.id')
              .where('version', 'is not', null),
          ),
        )
        .orderBy('createdAt', 'desc')
        .execute(),

    /** Removes the unchanged files from the plans of earlier runs: a mirror that runs each hour would otherwise store each of its files each hour. */
    async prune({ id, lastTransferId }: ScheduleRow): Promise<void> {
      if (lastTransferId === null) return;
      await db
        .deleteFrom('transferItem')
        .where('reason', '=', 'unchanged')
        .where((where) =>
          where(
            'transferId',
            'in',
            where
              .selectFrom('transfer')
              .select('transfer.id')
              .where('scheduleId', '=', id)
              .where('transfer.id', '<>', lastTransferId)
              .where('state', 'in', ['done', 'failed', 'canceled']),
          ),
        )
        .execute();
    },
  };
}
export type ScheduleStore = ReturnType<typeof createScheduleStore>;
