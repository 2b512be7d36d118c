import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type LockRow = Database['dav_lock'];

/** How many locks there are on a link, and how many of them an account has. */
export interface LockCounts {
  readonly ofLink: number;
  readonly ofAccount: number;
}

export type LockStore = ReturnType<typeof createLockStore>;

/** Store of locks. Paths are those of the link that stores the items. */
export function createLockStore(db: Db) {
  /** Locks whose account may still change something there: nobody else could release those of a member who has left. */
  const onLink = (query: Db, linkId: string, now: number, paths?: readonly string[]): Promise<LockRow[]> =>
    query
      .selectFrom('dav_lock')
      .selectAll()
      .where('linkId', '=', linkId)
      .$if(paths !== undefined, (all) => all.where('path', 'in', paths ?? []))
      .where('expiresAt', '>', now)
      .where(({ or, exists, selectFrom }) =>
        or([
          exists(
            selectFrom('link')
              .select('link.id')
              .whereRef('link.id', '=', 'dav_lock.linkId')
              .whereRef('link.accountId', '=', 'dav_lock.accountId'),
          ),
          exists(
            selectFrom('link')
              .innerJoin('org_member', 'org_member.orgId', 'link.accountId')
              .select('org_member.id')
              .whereRef('link.id', '=', 'dav_lock.linkId')
              .whereRef('org_member.accountId', '=', 'dav_lock.accountId'),
          ),
          exists(
            selectFrom('space')
              .innerJoin('space_member', 'space_member.spaceId', 'space.id')
              .select('space_member.id')
              .whereRef('space.storageLinkId', '=', 'dav_lock.linkId')
              .whereRef('space_member.accountId', '=', 'dav_lock.accountId')
              .where('space_member.role', '<>', 'viewer'),
          ),
        ]),
      )
      .execute();
  /** Also those of members who have left, until they end: they take room. */
  async function countsOf(query: Db, { linkId, accountId }: LockRow, now: number): Promise<LockCounts> {
    const rows = await query
      .selectFrom('dav_lock')
      .select(['accountId', ({ fn }) => fn.countAll().as('count')])
      .where('linkId', '=', linkId)
      .where('expiresAt', '>', now)
      .groupBy('accountId')
      .execute();
    const counted = rows.map((one) => ({ isOwn: one.accountId === accountId, count: Number(one.count) }));
    const sum = (list: typeof counted): number => list.reduce((all, { count }) => all + count, 0);
    return { ofLink: sum(counted), ofAccount: sum(counted.filter(({ isOwn }) => isOwn)) };
  }
  return {
    onLink: (linkId: string, now: number): Promise<LockRow[]> => onLink(db, linkId, now),
    /** Locks of exactly these paths. */
    ofPaths: (linkId: string, paths: readonly string[], now: number): Promise<LockRow[]> => onLink(db, linkId, now, paths),

    /**
     * Stores the lock if `mayAdd` accepts how many there are on the link, and those of these paths, or all if there are none; of concurrent calls,
     * on any instance, the second sees the first's lock.
     */
    insert: (
      row: LockRow,
      now: number,
      paths: readonly string[] | undefined,
      mayAdd: (counts: LockCounts, others: readonly LockRow[]) => boolean,
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        // Locks the link's row.
        await transaction.updateTable('link').set({ id: row.linkId }).where('id', '=', row.linkId).execute();
        if (!mayAdd(await countsOf(transaction, row, now), await onLink(transaction, row.linkId, now, paths))) return false;
        await transaction.insertInto('dav_lock').values(row).execute();
        return true;
      }),

    async refresh(token: string, seconds: number, expiresAt: number): Promise<void> {
      await db.updateTable('dav_lock').set({ seconds, expiresAt }).where('token', '=', token).execute();
    },

    async remove(tokens: readonly string[]): Promise<void> {
      if (tokens.length > 0) await db.deleteFrom('dav_lock').where('token', 'in', tokens).execute();
    },

    async sweep(now: number): Promise<void> {
      await db.deleteFrom('dav_lock').where('expiresAt', '<=', now).execute();
    },
  };
}
