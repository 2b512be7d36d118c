import { limits } from '@sheaf/contract';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { Uploader } from './uploader.ts';

export type UploadRow = Database['upload'];
type Change = Partial<Pick<UploadRow, 'session' | 'parts' | 'position' | 'expiresAt' | 'doneAt' | 'name' | 'undoId'>>;

/** Most finished uploads that are forgotten in one statement. */
const forgottenAtOnce = 200;

/** Store of uploads that can be continued. */
export function createUploadStore(db: Db) {
  return {
    async add(row: UploadRow): Promise<void> {
      await db.insertInto('upload').values(row).execute();
    },

    find: ({ userId, share }: Uploader, id: string): Promise<UploadRow | undefined> =>
      db
        .selectFrom('upload')
        .selectAll()
        .where('id', '=', id)
        .where('accountId', '=', userId)
        .where('weblinkId', share ? '=' : 'is', share?.weblinkId ?? null)
        .executeTakeFirst(),

    /** The account's uploads that have not ended, the newest first. */
    unfinished: (accountId: string, limit: number): Promise<UploadRow[]> =>
      db
        .selectFrom('upload')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('weblinkId', 'is', null)
        .where('doneAt', 'is', null)
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    /** Names that unfinished uploads into the folder will take. */
    async promisedNames(accountId: string, parentLinkUri: string, now: number): Promise<string[]> {
      const rows = await db
        .selectFrom('upload')
        .select('name')
        .where('accountId', '=', accountId)
        .where('parentLinkUri', '=', parentLinkUri)
        .where('doneAt', 'is', null)
        .where('expiresAt', '>', now)
        .execute();
      return rows.map(({ name }) => name);
    },

    /** Whether as many uploads of the user, or of the visitor's network into the share, have begun and not ended as may. */
    async hasMost({ userId, share }: Uploader): Promise<boolean> {
      const count = async (column: 'accountId' | 'visitor', value: string): Promise<number> => {
        const { total } = await db
          .selectFrom('upload')
          .select(({ fn }) => fn.countAll().as('total'))
          .where(column, '=', value)
          .where('weblinkId', share ? '=' : 'is', share?.weblinkId ?? null)
          .where('doneAt', 'is', null)
          .executeTakeFirstOrThrow();
        return Number(total);
      };
      if (!share) return (await count('accountId', userId)) >= limits.unfinishedUploads;
      return (await count('visitor', share.visitor)) >= limits.visitorsUploads.ofNetwork;
    },

    /** Where as many uploads into the share have begun and not ended as may: the first `limit` of them, those that nobody has continued for longest first. */
    async idleOfFull(weblinkId: string, now: number, limit: number): Promise<UploadRow[]> {
      const unfinished = db
        .selectFrom('upload')
        .where('weblinkId', '=', weblinkId)
        .where('doneAt', 'is', null)
        .where('expiresAt', '>=', now);
      const { total } = await unfinished.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      if (Number(total) < limits.visitorsUploads.ofShare) return [];
      return unfinished.selectAll().orderBy('expiresAt').orderBy('createdAt').limit(limit).execute();
    },

    /** Forgets finished uploads of the user, or into the share, but for the newest. */
    async forgetFinished({ userId, share }: Uploader, kept: number): Promise<void> {
      const older = await db
        .selectFrom('upload')
        .select('id')
        .where('accountId', '=', userId)
        .where('weblinkId', share ? '=' : 'is', share?.weblinkId ?? null)
        .where('doneAt', 'is not', null)
        .orderBy('createdAt', 'desc')
        .offset(kept)
        .limit(forgottenAtOnce)
        .execute();
      await this.remove(...older.map(({ id }) => id));
    },

    /** Takes the upload on after `run`, and keeps it until `expiresAt`; the number of the new run, or undefined when another process was first. */
    async takeOn({ id, run }: UploadRow, expiresAt: number): Promise<number | undefined> {
      const { numUpdatedRows } = await db
        .updateTable('upload')
        .set({ run: run + 1, expiresAt })
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

    async remove(...ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await db.deleteFrom('upload').where('id', 'in', ids).execute();
    },

    /** Forgets finished uploads whose time is over. */
    async removeFinished(now: number): Promise<void> {
      await db.deleteFrom('upload').where('expiresAt', '<', now).where('doneAt', 'is not', null).execute();
    },

    /** Unfinished uploads whose time is over, by their id. */
    expired: (now: number, after: string, limit: number): Promise<UploadRow[]> =>
      db
        .selectFrom('upload')
        .selectAll()
        .where('expiresAt', '<', now)
        .where('doneAt', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
  };
}
export type UploadStore = ReturnType<typeof createUploadStore>;
