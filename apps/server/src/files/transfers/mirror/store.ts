import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { ItemRow } from '../rows/item-store.ts';

/** Queries about plans of mirrors. */
export function createMirrorStore(db: Db) {
  const of = (transferId: string) => db.selectFrom('transferItem').where('transferId', '=', transferId);
  const toDelete = (transferId: string, isFolder: 0 | 1) =>
    of(transferId).selectAll().where('action', '=', 'delete').where('isFolder', '=', isFolder).where('state', 'in', ['waiting', 'running']);

  return {
    /** Files at the destination that the plan has seen, and those that it deletes. */
    async destination(transferId: string): Promise<{ readonly deleted: number; readonly total: number }> {
      const row = await of(transferId)
        .select(({ fn }) => [
          fn.sum<number>(sql`case when action = 'delete' then 1 else 0 end`).as('deleted'),
          fn.sum<number>(sql`case when action = 'delete' or "takenModified" is not null then 1 else 0 end`).as('total'),
        ])
        .where('isFolder', '=', 0)
        .executeTakeFirstOrThrow();
      return { deleted: Number(row.deleted ?? 0), total: Number(row.total ?? 0) };
    },

    /** A mirrored folder in which everything is deleted, as its source holds nothing. */
    emptied: (transferId: string): Promise<ItemRow | undefined> =>
      of(transferId)
        .selectAll()
        .where('parentSeq', 'is', null)
        .where(
          sql<boolean>`exists (select 1 from "transferItem" as child where child."transferId" = "transferItem"."transferId"
            and child."parentSeq" = "transferItem".seq and child.action = 'delete')`,
        )
        .where(
          sql<boolean>`not exists (select 1 from "transferItem" as child where child."transferId" = "transferItem"."transferId"
            and child."parentSeq" = "transferItem".seq and child.action <> 'delete')`,
        )
        .limit(1)
        .executeTakeFirst(),

    /** Whether a folder could not be listed. */
    async hasUnreadable(transferId: string): Promise<boolean> {
      return (await of(transferId).select('seq').where('reason', '=', 'unreadable').limit(1).execute()).length > 0;
    },

    /** Files to delete, in order. */
    files: (transferId: string, after: number, limit: number): Promise<ItemRow[]> =>
      toDelete(transferId, 0).where('seq', '>', after).orderBy('seq').limit(limit).execute(),

    /** Folders to delete, the deepest first. */
    folders: (transferId: string, before: number, limit: number): Promise<ItemRow[]> =>
      toDelete(transferId, 1).where('seq', '<', before).orderBy('seq', 'desc').limit(limit).execute(),

    /** Leaves out everything that is still to be deleted. */
    async holdBack(transferId: string): Promise<void> {
      await db
        .updateTable('transferItem')
        .set({ state: 'skipped', reason: 'unreadable' })
        .where('transferId', '=', transferId)
        .where('action', '=', 'delete')
        .where('state', 'in', ['waiting', 'running'])
        .execute();
    },
  };
}
export type MirrorStore = ReturnType<typeof createMirrorStore>;
