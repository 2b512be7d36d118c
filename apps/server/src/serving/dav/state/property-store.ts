import { hash } from 'node:crypto';
import { joinPath, parentOf } from '@sheaf/connectors';
import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** A property that clients have set: its value as XML. */
export type DeadProperty = Pick<Database['dav_property'], 'space' | 'name' | 'value'>;

/** A change of one property; without a value it is removed. */
export interface PropertyChange extends Pick<DeadProperty, 'space' | 'name'> {
  readonly value?: string;
}

const keyOf = (...parts: string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');
/** Most properties of one item and of one link. */
const mostOfItem = 200;
const mostOfLink = 100_000;
/** Rows per statement: SQLite and Postgres limit the parameters. */
const rowsAtOnce = 100;

export type PropertyStore = ReturnType<typeof createPropertyStore>;

/** Store of dead properties. Paths are those of the link that stores the items. */
export function createPropertyStore(db: Db) {
  const columns = ['path', 'space', 'name', 'value'] as const;
  const below = (linkId: string, path: string) => {
    const start = path === '/' ? '/' : `${path}/`;
    return db
      .selectFrom('dav_property')
      .select(columns)
      .where('linkId', '=', linkId)
      .where((by) => by.or([by('pathHash', '=', keyOf(path)), by(sql`substr(path, 1, ${sql.lit(start.length)})`, '=', start)]));
  };
  const rowOf = (linkId: string, path: string, { space, name, value }: DeadProperty): Database['dav_property'] => ({
    linkId,
    path,
    pathHash: keyOf(path),
    nameHash: keyOf(space, name),
    folderHash: keyOf(parentOf(path)),
    space,
    name,
    value,
  });

  async function removeTree(query: Db, linkId: string, path: string): Promise<void> {
    const start = path === '/' ? '/' : `${path}/`;
    await query
      .deleteFrom('dav_property')
      .where('linkId', '=', linkId)
      .where((by) => by.or([by('pathHash', '=', keyOf(path)), by(sql`substr(path, 1, ${sql.lit(start.length)})`, '=', start)]))
      .execute();
  }

  return {
    of: (linkId: string, path: string): Promise<DeadProperty[]> =>
      db
        .selectFrom('dav_property')
        .select(['space', 'name', 'value'])
        .where('linkId', '=', linkId)
        .where('pathHash', '=', keyOf(path))
        .orderBy('nameHash')
        .execute(),

    /** Those of the items in a folder, by path. */
    async inFolder(linkId: string, folder: string): Promise<Map<string, DeadProperty[]>> {
      const rows = await db
        .selectFrom('dav_property')
        .select(columns)
        .where('linkId', '=', linkId)
        .where('folderHash', '=', keyOf(folder))
        .execute();
      const found = new Map<string, DeadProperty[]>();
      for (const { path, ...property } of rows) found.set(path, [...(found.get(path) ?? []), property]);
      return found;
    },

    /** Applies all changes or none; false when there would be too many properties. */
    change: (linkId: string, path: string, changes: readonly PropertyChange[]): Promise<boolean> =>
      db
        .transaction()
        .execute(async (transaction) => {
          for (const { space, name, value } of changes) {
            if (value === undefined) {
              await transaction
                .deleteFrom('dav_property')
                .where('linkId', '=', linkId)
                .where('pathHash', '=', keyOf(path))
                .where('nameHash', '=', keyOf(space, name))
                .execute();
              continue;
            }
            await transaction
              .insertInto('dav_property')
              .values(rowOf(linkId, path, { space, name, value }))
              .onConflict((conflict) => conflict.columns(['linkId', 'pathHash', 'nameHash']).doUpdateSet({ value }))
              .execute();
          }
          const counted = transaction
            .selectFrom('dav_property')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('linkId', '=', linkId);
          const all = Number((await counted.executeTakeFirst())?.count ?? 0);
          const own = Number((await counted.where('pathHash', '=', keyOf(path)).executeTakeFirst())?.count ?? 0);
          if (all > mostOfLink || own > mostOfItem) throw new TooMany();
          return true;
        })
        .catch((error: unknown) => {
          if (error instanceof TooMany) return false;
          throw error;
        }),

    remove: (linkId: string, path: string): Promise<void> => removeTree(db, linkId, path),

    /** Copies the properties of an item and of what is below it. */
    async copy(from: { linkId: string; path: string }, to: { linkId: string; path: string }): Promise<void> {
      const rows = await below(from.linkId, from.path).limit(mostOfLink).execute();
      await db.transaction().execute(async (transaction) => {
        await removeTree(transaction, to.linkId, to.path);
        const moved = rows.map(({ path, ...property }) => {
          const rest = path.slice(from.path.length).replace(/^\//, '');
          return rowOf(to.linkId, rest === '' ? to.path : joinPath(to.path, rest), property);
        });
        for (let at = 0; at < moved.length; at += rowsAtOnce)
          await transaction
            .insertInto('dav_property')
            .values(moved.slice(at, at + rowsAtOnce))
            .execute();
      });
    },
  };
}

class TooMany extends Error {}
