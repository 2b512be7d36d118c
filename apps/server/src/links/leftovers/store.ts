import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type LeftoverRow = Database['leftover'];

/** A note whose time has come, and whose link it is of. */
export interface DueLeftover extends LeftoverRow {
  readonly accountId: string;
}

/** Notes of what uploads have begun at sources. */
export function createLeftoverStore(db: Db) {
  return {
    async insert(row: LeftoverRow): Promise<void> {
      await db.insertInto('leftover').values(row).execute();
    },
    async remove(ids: readonly string[]): Promise<void> {
      await db.deleteFrom('leftover').where('id', 'in', ids).execute();
    },
    /** Moves the notes that are still due at `since`; gives the ids of these. */
    async renew(ids: readonly string[], since: number, dueAt: number): Promise<string[]> {
      const renewed = await db
        .updateTable('leftover')
        .set({ dueAt })
        .where('id', 'in', ids)
        .where('dueAt', '=', since)
        .returning('id')
        .execute();
      return renewed.map(({ id }) => id);
    },
    /** Notes down that an attempt has failed, and when the next one is due. */
    async fail(id: string, dueAt: number): Promise<void> {
      await db.updateTable('leftover').set({ dueAt, isFailed: 1 }).where('id', '=', id).execute();
    },
    /** The moves and copies of a link that have not ended. */
    transfers: (linkId: string): Promise<LeftoverRow[]> =>
      db.selectFrom('leftover').selectAll().where('linkId', '=', linkId).where('kind', 'is not', null).execute(),
    find: (id: string): Promise<DueLeftover | undefined> =>
      db
        .selectFrom('leftover')
        .innerJoin('link', 'link.id', 'leftover.linkId')
        .selectAll('leftover')
        .select('link.accountId')
        .where('leftover.id', '=', id)
        .executeTakeFirst(),
    /** Makes all notes due but these. */
    async expireOthers(ids: readonly string[], now: number): Promise<void> {
      const others = db.updateTable('leftover').set({ dueAt: now }).where('dueAt', '>', now);
      await (ids.length > 0 ? others.where('id', 'not in', ids) : others).execute();
    },
    async putOff(ids: readonly string[], dueAt: number): Promise<void> {
      await db.updateTable('leftover').set({ dueAt }).where('id', 'in', ids).execute();
    },
    /** The notes that have waited longest, of all links or of one. */
    due(now: number, limit: number, linkId?: string): Promise<DueLeftover[]> {
      const due = db
        .selectFrom('leftover')
        .innerJoin('link', 'link.id', 'leftover.linkId')
        .selectAll('leftover')
        .select('link.accountId')
        .where('leftover.dueAt', '<=', now)
        .orderBy('leftover.dueAt')
        .limit(limit);
      return (linkId === undefined ? due : due.where('leftover.linkId', '=', linkId)).execute();
    },
    /** Takes a note on, unless another has since it was read. */
    async claim({ id, dueAt }: LeftoverRow, until: number): Promise<boolean> {
      const claimed = await db
        .updateTable('leftover')
        .set({ dueAt: until, isFailed: 0 })
        .where('id', '=', id)
        .where('dueAt', '=', dueAt)
        .returning('id')
        .executeTakeFirst();
      return claimed !== undefined;
    },
  };
}
export type LeftoverStore = ReturnType<typeof createLeftoverStore>;
