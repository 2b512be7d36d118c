import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type UploadRow = Database['upload'];
type Change = Partial<Pick<UploadRow, 'session' | 'parts' | 'position' | 'expiresAt' | 'doneAt' | 'name'>>;

/** Store of uploads that can be continued. */
export function createUploadStore(db: Db) {
  return {
    async add(row: UploadRow): Promise<void> {
      await db.insertInto('upload').values(row).execute();
    },

    find: (accountId: string, id: string): Promise<UploadRow | undefined> =>
      db.selectFrom('upload').selectAll().where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst(),

    /** The account's uploads that have not ended, the newest first. */
    unfinished: (accountId: string, limit: number): Promise<UploadRow[]> =>
      db
        .selectFrom('upload')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('doneAt', 'is', null)
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    /** Takes the upload on after `run`; the number of the new run, or undefined when another process was first. */
    async takeOn({ id, run }: UploadRow): Promise<number | undefined> {
      const { numUpdatedRows } = await db
        .updateTable('upload')
        .set({ run: run + 1 })
        .where('id', '=', id)
        .where('run', '=', run)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? run + 1 : undefined;
    },

    /** Changes an upload, unless another process has taken it on since; returns whether it did. */
    async change(id: string, run: number, change: Change): Promise<boolean> {
      const { numUpdatedRows } = await db.updateTable('upload').set(change).where('id', '=', id).where('run', '=', run).executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('upload').where('id', '=', id).execute();
    },

    /** Uploads whose time is over. */
    expired: (now: number, limit: number): Promise<UploadRow[]> =>
      db.selectFrom('upload').selectAll().where('expiresAt', '<', now).orderBy('expiresAt').limit(limit).execute(),
  };
}
export type UploadStore = ReturnType<typeof createUploadStore>;
