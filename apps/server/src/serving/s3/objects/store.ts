import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type ObjectRow = Database['s3_object'];

/** Rows deleted per statement. */
const rowsAtOnce = 500;
const keyOf = (path: string): string => hash('sha256', path, 'base64url');

/** Store of what S3 remembers of objects. Paths are those of the link that stores them. */
export function createObjectStore(db: Db, engine: Engine) {
  const hasAny = async (linkId: string): Promise<boolean> =>
    (await db.selectFrom('s3_object').select('linkId').where('linkId', '=', linkId).limit(1).executeTakeFirst()) !== undefined;
  return {
    async put(linkId: string, path: string, row: Omit<ObjectRow, 'linkId' | 'pathHash'>): Promise<void> {
      await db
        .insertInto('s3_object')
        .values({ linkId, pathHash: keyOf(path), ...row })
        .onConflict((conflict) => conflict.columns(['linkId', 'pathHash']).doUpdateSet(row))
        .execute();
    },

    /** The rows of these paths, by path. */
    async of(linkId: string, paths: readonly string[]): Promise<Map<string, ObjectRow>> {
      const found = new Map<string, ObjectRow>();
      // Most links have none, which saves hashing each path of a long listing.
      if (paths.length > 1 && !(await hasAny(linkId))) return found;
      const byKey = new Map(paths.map((path) => [keyOf(path), path]));
      const keys = JSON.stringify([...byKey.keys()]);
      const listed = engine === 'postgres' ? sql`json_array_elements_text(${keys}::json)` : sql`json_each(${keys})`;
      const query = db.selectFrom('s3_object').selectAll().where('linkId', '=', linkId);
      for (const row of await query.where('pathHash', 'in', sql<string>`(select value from ${listed})`).execute()) {
        const path = byKey.get(row.pathHash);
        if (path !== undefined) found.set(path, row);
      }
      return found;
    },

    async remove(linkId: string, path: string): Promise<void> {
      await db.deleteFrom('s3_object').where('linkId', '=', linkId).where('pathHash', '=', keyOf(path)).execute();
    },

    /** Deletes the rows of deleted links, slice by slice. */
    async sweep(): Promise<void> {
      for (let deleted = rowsAtOnce; deleted > 0;) {
        const result = await sql`
          delete from s3_object where ("linkId", "pathHash") in (select "linkId", "pathHash" from s3_object
            where not exists (select 1 from link where link.id = s3_object."linkId") limit ${rowsAtOnce})`.execute(db);
        deleted = Number(result.numAffectedRows ?? 0);
      }
    },
  };
}
export type ObjectStore = ReturnType<typeof createObjectStore>;
