import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type LockRow = Database['dav_lock'];

export type LockStore = ReturnType<typeof createLockStore>;

/** Store of locks. Paths are those of the link that stores the items. */
export function createLockStore(db: Db) {
  /** Locks whose account may still change something there: nobody else could release those of a member who has left. */
  const onLink = (query: Db, linkId: string, now: number): Promise<LockRow[]> =>
    query
      .selectFrom('dav_lock')
      .selectAll()
      .where('linkId', '=', linkId)
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
  return {
    onLink: (linkId: string, now: number): Promise<LockRow[]> => onLink(db, linkId, now),

    /** Stores the lock if `mayAdd` accepts the link's other locks; of concurrent calls, on any instance, the second sees the first's lock. */
    insert: (row: LockRow, now: number, mayAdd: (others: readonly LockRow[]) => boolean): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        // Locks the link's row.
        await transaction.updateTable('link').set({ id: row.linkId }).where('id', '=', row.linkId).execute();
        if (!mayAdd(await onLink(transaction, row.linkId, now))) return false;
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
