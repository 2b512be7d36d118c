import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type UploadRow = Database['s3_upload'];
export type PartRow = Database['s3_part'];

/** Store of uploads in parts. */
export function createUploadStore(db: Db) {
  return {
    async insert(row: UploadRow): Promise<void> {
      await db.insertInto('s3_upload').values(row).execute();
    },
    find: (id: string, accountId: string): Promise<UploadRow | undefined> =>
      db.selectFrom('s3_upload').selectAll().where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst(),
    /** Uploads under way in a link. */
    open: (accountId: string, userLinkId: string, limit: number): Promise<UploadRow[]> =>
      db
        .selectFrom('s3_upload')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('userLinkId', '=', userLinkId)
        .where('etag', 'is', null)
        .orderBy('path')
        .orderBy('id')
        .limit(limit)
        .execute(),
    async countOpen(accountId: string): Promise<number> {
      const query = db.selectFrom('s3_upload').select(({ fn }) => fn.countAll().as('count'));
      const row = await query.where('accountId', '=', accountId).where('etag', 'is', null).executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async finish(id: string, etag: string): Promise<void> {
      await db.updateTable('s3_upload').set({ etag }).where('id', '=', id).execute();
    },
    /** Deletes an upload, unless it has been finished; false when it was gone or finished. */
    async removeOpen(id: string): Promise<boolean> {
      const row = await db.deleteFrom('s3_upload').where('id', '=', id).where('etag', 'is', null).returning('id').executeTakeFirst();
      return row !== undefined;
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('s3_upload').where('id', '=', id).execute();
    },
    /** Uploads begun before `createdAt`, oldest first. */
    before: (createdAt: number, isFinished: boolean, limit: number): Promise<UploadRow[]> =>
      db
        .selectFrom('s3_upload')
        .selectAll()
        .where('createdAt', '<', createdAt)
        .where('etag', isFinished ? 'is not' : 'is', null)
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    /** Keeps a part; returns the file of the one that it replaces. Undefined when the upload is gone. */
    putPart: (row: PartRow): Promise<{ readonly replaced?: string } | undefined> =>
      db.transaction().execute(async (transaction) => {
        const isOpen = await transaction
          .selectFrom('s3_upload')
          .select('id')
          .where('id', '=', row.uploadId)
          .where('etag', 'is', null)
          .executeTakeFirst();
        if (!isOpen) return undefined;
        const before = await transaction
          .deleteFrom('s3_part')
          .where('uploadId', '=', row.uploadId)
          .where('number', '=', row.number)
          .returning('file')
          .executeTakeFirst();
        await transaction.insertInto('s3_part').values(row).execute();
        return before ? { replaced: before.file } : {};
      }),
    /** Parts after the number `after`, in order. */
    parts: (uploadId: string, after: number, limit: number): Promise<PartRow[]> =>
      db
        .selectFrom('s3_part')
        .selectAll()
        .where('uploadId', '=', uploadId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute(),
  };
}
export type UploadStore = ReturnType<typeof createUploadStore>;
