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
/** Most properties of one item and of one link, and bytes of their values: a listing of a folder reads those of all its items. */
const mostOfItem = { rows: 200, bytes: 16 * 1024 };
const mostOfLink = { rows: 100_000, bytes: 16 * 1024 * 1024 };
/** Most links whose spare room is cached. */
const mostSpare = 1000;
/** Rows per statement: SQLite and Postgres limit the parameters. */
const rowsAtOnce = 100;

export type PropertyStore = ReturnType<typeof createPropertyStore>;

/** Store of dead properties. Paths are those of the link that stores the items. */
export function createPropertyStore(db: Db) {
  const columns = ['path', 'space', 'name', 'value'] as const;
  /** Whether a row is of the item or of something below it. The database counts characters otherwise than JavaScript. */
  const isInTree = (path: string) => {
    const start = path === '/' ? '/' : `${path}/`;
    return sql<boolean>`("pathHash" = ${keyOf(path)} or substr(path, 1, length(cast(${start} as text))) = ${start})`;
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

  const removeTree = async (query: Db, linkId: string, path: string): Promise<void> => {
    await query.deleteFrom('dav_property').where('linkId', '=', linkId).where(isInTree(path)).execute();
  };

  /** What may be added to a link before it is counted again: counting reads all of its properties. */
  const spare = new Map<string, { rows: number; bytes: number }>();
  const sumsOf = async (query: Db, linkId: string, path?: string): Promise<{ rows: number; bytes: number }> => {
    const sums = query
      .selectFrom('dav_property')
      .select(({ fn }) => [fn.countAll().as('rows'), sql<number | string | null>`sum(octet_length(value))`.as('bytes')])
      .where('linkId', '=', linkId);
    const row = await (path === undefined ? sums : sums.where('pathHash', '=', keyOf(path))).executeTakeFirst();
    return { rows: Number(row?.rows ?? 0), bytes: Number(row?.bytes ?? 0) };
  };
  /** Throws TooMany when an item has more than is allowed. */
  async function checkItem(query: Db, linkId: string, path: string): Promise<void> {
    const { rows, bytes } = await sumsOf(query, linkId, path);
    if (rows > mostOfItem.rows || bytes > mostOfItem.bytes) throw new TooMany();
  }
  /** Throws TooMany when the link has more than is allowed, including those just added. */
  async function checkLink(query: Db, linkId: string, added: readonly { readonly value: string }[]): Promise<void> {
    const length = added.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
    const known = spare.get(linkId);
    if (known && known.rows >= added.length && known.bytes >= length) {
      known.rows -= added.length;
      known.bytes -= length;
      return;
    }
    const { rows, bytes } = await sumsOf(query, linkId);
    if (rows > mostOfLink.rows || bytes > mostOfLink.bytes) throw new TooMany();
    if (spare.size >= mostSpare) spare.clear();
    // A quarter of the room only: other instances add to the link too.
    spare.set(linkId, { rows: (mostOfLink.rows - rows) / 4, bytes: (mostOfLink.bytes - bytes) / 4 });
  }
  /** Returns false when there were too many; nothing is changed then. */
  const unlessTooMany = (change: (transaction: Db) => Promise<void>): Promise<boolean> =>
    db
      .transaction()
      .execute(async (transaction) => {
        await change(transaction);
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof TooMany) return false;
        throw error;
      });

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
      unlessTooMany(async (transaction) => {
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
        const set = changes.flatMap(({ value }) => (value === undefined ? [] : [{ value }]));
        if (set.length === 0) return;
        await checkItem(transaction, linkId, path);
        await checkLink(transaction, linkId, set);
      }),

    remove: (linkId: string, path: string): Promise<void> => removeTree(db, linkId, path),

    /** Copies or moves the properties of an item and of what is below it. Copies for which the link has no room are left out. */
    async relocate(kind: 'copy' | 'move', from: { linkId: string; path: string }, to: { linkId: string; path: string }): Promise<void> {
      const query = db.selectFrom('dav_property').select(columns).where('linkId', '=', from.linkId).where(isInTree(from.path));
      const rows = await query.limit(mostOfLink.rows).execute();
      const placed = rows.map(({ path, ...property }) => {
        const rest = path.slice(from.path.length).replace(/^\//, '');
        return rowOf(to.linkId, rest === '' ? to.path : joinPath(to.path, rest), property);
      });
      const clear = async (transaction: Db): Promise<void> => {
        await removeTree(transaction, to.linkId, to.path);
        if (kind === 'move') await removeTree(transaction, from.linkId, from.path);
      };
      const hasRoom = await unlessTooMany(async (transaction) => {
        await clear(transaction);
        for (let at = 0; at < placed.length; at += rowsAtOnce)
          await transaction
            .insertInto('dav_property')
            .values(placed.slice(at, at + rowsAtOnce))
            .execute();
        const isMore = placed.length > 0 && (kind === 'copy' || from.linkId !== to.linkId);
        if (isMore) await checkLink(transaction, to.linkId, placed);
      });
      if (!hasRoom) await db.transaction().execute(clear);
    },
  };
}

class TooMany extends Error {}
