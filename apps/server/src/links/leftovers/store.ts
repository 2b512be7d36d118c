import type { OpenDatabase } from '#/platform/db/database.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type LeftoverRow = Database['leftover'];

/** A due note, with its link. */
export interface DueLeftover extends LeftoverRow {
  readonly accountId: string;
}

/** Store of operations under way at sources. */
export function createLeftoverStore({ db, grouped, unsynced }: Pick<OpenDatabase, 'db' | 'grouped' | 'unsynced'>) {
  const insertWith = async (handle: Db, row: LeftoverRow): Promise<void> =>
    void (await handle.insertInto('leftover').values(row).execute());
  return {
    /** A power cut may lose the row of an upload, which leaves a hidden file at worst; a move that nobody finishes would leave half a folder. */
    insert: (row: LeftoverRow): Promise<void> =>
      row.kind === null ? insertWith(unsynced, row) : grouped((handle) => insertWith(handle, row)),
    async remove(ids: readonly string[]): Promise<void> {
      await db.deleteFrom('leftover').where('id', 'in', ids).execute();
    },
    /** Extends the leases that are still due at `since`; returns their ids. */
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
    /** Records a failed attempt, and when the next one is due. */
    async fail(id: string, dueAt: number): Promise<void> {
      await db.updateTable('leftover').set({ dueAt, isFailed: 1 }).where('id', '=', id).execute();
    },
    /** Moves and copies of a link that have not ended. */
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
    /** The oldest due notes, of all links or of one. */
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
    /** Claims a note, unless another process has since it was read. */
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
