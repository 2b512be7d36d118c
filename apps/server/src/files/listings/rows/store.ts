import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Entry } from '@sheaf/connectors';
import { foldName } from '@sheaf/contract';
import { type CompiledQuery, sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';
import type { Engine } from '#/platform/db/schema/engine.ts';
import { type RowKey, dropEntries, isOneOf, keyOf, putEntries } from './entry-rows.ts';
import { type StoredFolder, folderColumns, goneId, goneKey, goneKeyOf, gonePrefix, pathKeyOf } from './folder-rows.ts';
import { folderSizes } from './folder-sizes.ts';
import { type Transaction, holdFolder } from './held-folder.ts';
import { type SpooledListing, mergeRows } from './merge-rows.ts';
import { createPageRows } from './page-rows.ts';
import { type CompleteListing, type Replaced, replaceRows, sliceSize } from './replace-rows.ts';

/** A change by Sheaf in a folder: a new or changed item, or a removed name. */
export interface Change {
  readonly put?: Entry;
  readonly gone?: string;
}

export type ListingStore = ReturnType<typeof createListingStore>;

/** Store of listings. */
export function createListingStore(database: Pick<OpenDatabase, 'db' | 'engine' | 'sqlite' | 'aside' | 'background'>) {
  const { db, engine, background } = database;
  const read = createRead(database);
  // Compiled once, because every request uses it.
  const byPath = db.selectFrom('listing_folder').select(folderColumns).where('linkId', '=', '').where('pathKey', '=', '').compile();

  const findFolder = async (linkId: string, path: string): Promise<StoredFolder | undefined> => {
    const query: CompiledQuery<StoredFolder> = { ...byPath, parameters: [linkId, pathKeyOf(path)] };
    return (await read(query))[0];
  };

  return {
    ...createPageRows(db, engine, read, database.aside?.read ?? read),
    findFolder,
    folderSizes: (linkId: string, path: string) => folderSizes({ db, read: database.aside?.read ?? read }, linkId, path),

    /** The folder's row, created if missing: for a user, or while nobody has opened it. Rejects when the link no longer exists. */
    async openFolder(linkId: string, path: string, isUnopened = false): Promise<StoredFolder> {
      const known = await findFolder(linkId, path);
      if (known) return known;
      const facts = {
        listedAt: null,
        fingerprint: null,
        version: randomUUID(),
        folderCount: 0,
        fileCount: 0,
        isUnopened: isUnopened ? 1 : 0,
      };
      return (
        db
          .insertInto('listing_folder')
          .values({ linkId, path, pathKey: pathKeyOf(path), foldedPath: foldName(path), ...facts })
          // Another request may have created it meanwhile; an upsert without changes would return no row.
          .onConflict((conflict) => conflict.columns(['linkId', 'pathKey']).doUpdateSet({ path }))
          .returning(folderColumns)
          .executeTakeFirstOrThrow()
      );
    },

    /** Records that a user has opened the folder. */
    async opened(folderId: number): Promise<void> {
      await db.updateTable('listing_folder').set({ isUnopened: 0 }).where('id', '=', folderId).execute();
    },

    /** Forgets the folders of a link that nobody has opened; {@link sweep} deletes their rows. */
    async detachUnopened(linkId: string): Promise<void> {
      for (;;) {
        const some = db.selectFrom('listing_folder').select('id').where('linkId', '=', linkId).where('isUnopened', '=', 1).limit(sliceSize);
        const { numUpdatedRows } = await db
          .updateTable('listing_folder')
          .set({ pathKey: goneKey, listedAt: null, isUnopened: 0 })
          .where('id', 'in', some)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        await turn();
      }
    },

    /** Records that the source has returned the same listing again. */
    async confirm(folderId: number, listedAt: number): Promise<void> {
      await db.updateTable('listing_folder').set({ listedAt }).where('id', '=', folderId).where('listedAt', 'is not', null).execute();
    },

    replace: (folderId: number, listed: CompleteListing): Promise<Replaced> => replaceRows(db, engine, folderId, listed),

    /** Like `replace`, for a listing too long for memory; writes in the background. */
    merge: (folderId: number, listed: SpooledListing): Promise<void> => mergeRows({ db, engine, background }, folderId, listed),

    /** Stores changes that Sheaf made at the source until `changedAt` (epoch milliseconds), of one folder and in their order, in one transaction. */
    async change(folderId: number, changes: readonly Change[], changedAt: number): Promise<void> {
      /** The last change of each name. */
      const entries = new Map<string, Entry | undefined>();
      for (const { put, gone } of changes) {
        if (gone !== undefined) entries.set(gone, undefined);
        if (put) entries.set(put.name, put);
      }
      const names = [...entries.keys()];
      const keys = keysOfNames(names);
      const puts = [...entries.values()].filter((entry) => entry !== undefined);
      await holdFolder(db, engine, folderId, async (transaction) => {
        const before = await countRows(transaction, engine, folderId, keys);
        if (before.folders + before.files > 0) await dropEntries(transaction, engine, folderId, keys);
        await putEntries(transaction, engine, folderId, puts);
        await transaction
          .insertInto('listing_change')
          .values(names.map((name) => ({ folderId, name, changedAt })))
          .onConflict((conflict) => conflict.columns(['folderId', 'name']).doUpdateSet({ changedAt }))
          .execute();
        const folders = puts.filter(({ kind }) => kind === 'folder').length;
        await transaction
          .updateTable('listing_folder')
          .set(({ eb }) => ({
            fingerprint: null,
            version: randomUUID(),
            folderCount: eb('folderCount', '+', folders - before.folders),
            fileCount: eb('fileCount', '+', puts.length - folders - before.files),
          }))
          .where('id', '=', folderId)
          .execute();
      });
    },

    /** Forgets the folder at a path and every folder below it; {@link sweep} deletes their rows. */
    async detach(linkId: string, path: string): Promise<void> {
      const below = sql<string>`cast(${path === '/' ? '/' : `${path}/`} as text)`;
      const rows = await db
        .selectFrom('listing_folder')
        .select('id')
        .where('linkId', '=', linkId)
        .where((eb) => eb.or([eb('path', '=', path), eb(sql`substr(path, 1, length(${below}))`, '=', below)]))
        .execute();
      for (const { id } of rows) {
        await db
          .updateTable('listing_folder')
          .set({ pathKey: goneKeyOf(id), listedAt: null })
          .where('id', '=', id)
          .execute();
      }
    },

    /** Deletes rows of forgotten folders and of deleted links, slice by slice; after the signal aborts, the rest is left for the next run. */
    async sweep(signal: AbortSignal): Promise<void> {
      const gone = await db.selectFrom('listing_folder').select('id').where('pathKey', 'like', `${gonePrefix}%`).execute();
      for (const { id } of gone) {
        const drop = dropFirst(id).compile(db);
        for (let dropped = 1; dropped > 0;) {
          if (signal.aborted) return;
          dropped = (await background.write([drop]))[0]?.changes ?? 0;
        }
        await background.write([db.deleteFrom('listing_folder').where('id', '=', id).compile()]);
      }
      if (gone.length === 0) return;
      const isOwner = db.selectFrom('listing_folder').select('id').where('linkId', '=', goneId);
      await db
        .deleteFrom('account')
        .where('id', '=', goneId)
        .where(({ not, exists }) => not(exists(isOwner)))
        .execute();
    },
  };
}

/** Deletes the first rows of a folder. */
const dropFirst = (folderId: number) => sql`
  delete from listing_entry where "folderId" = ${folderId} and ("isFile", "sortKey", name) in
    (select "isFile", "sortKey", name from listing_entry where "folderId" = ${folderId} order by "isFile", "sortKey", name limit ${sliceSize})`;

const keysOfNames = (names: readonly string[]): RowKey[] =>
  names.flatMap((name) => (['file', 'folder'] as const).map((kind) => keyOf({ name, kind })));

/** Number of rows with these keys. */
async function countRows(
  transaction: Transaction,
  engine: Engine,
  folderId: number,
  keys: readonly RowKey[],
): Promise<{ folders: number; files: number }> {
  const { rows } = await sql<{ folders: number | string; files: number | string }>`
    select count(*) - coalesce(sum("isFile"), 0) as folders, coalesce(sum("isFile"), 0) as files from listing_entry
    where "folderId" = ${folderId} and ${isOneOf(engine, keys)}`.execute(transaction);
  const [count] = rows;
  return { folders: Number(count?.folders ?? 0), files: Number(count?.files ?? 0) };
}
