import type { Entry } from '@sheaf/connectors';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Read } from '#/platform/db/read.ts';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { type RowKey, entryColumns, entryOf, keyOf } from './entry-rows.ts';
import type { StoredFolder } from './folder-rows.ts';
import { type Slice, type View, unknownSize, unknownTime } from './view.ts';

/** Number of rows from which a full scan would block others. */
const largeFolder = 10_000;
/** Entries read together where all are wanted. */
const batchSize = 1000;

/** A slice of a folder in the order of bytes. */
export interface ByteOrderSlice {
  readonly from: string;
  /** Whether `from` itself is left out. */
  readonly isAfter: boolean;
  readonly limit: number;
}

/** Reads stored entries; `readLong` is for long queries: pages of a view, single entries, and names. */
export function createPageRows(db: Db, engine: Engine, readShort: Read, readLong: Read) {
  const isLarge = ({ folderCount, fileCount }: StoredFolder): boolean => folderCount + fileCount > largeFolder;
  /** Chooses how to read a slice: directly along the index, or in the background when it is far down or in another order. */
  const readerOf = (folder: StoredFolder, view: View, { offset, limit }: Slice): Read =>
    isLarge(folder) && (view.sort !== 'name' || view.filter !== '' || offset + limit > largeFolder) ? readLong : readShort;
  const has = (part: string, at: 'anywhere' | 'first') => {
    const place = sql.raw(engine === 'postgres' ? 'strpos' : 'instr');
    return sql<SqlBool>`${place}(coalesce(folded, name), ${part}) ${sql.raw(at === 'first' ? '= 1' : '> 0')}`;
  };
  const entriesOf = (folderId: number, view: View) => {
    const rows = db.selectFrom('listing_entry').where('folderId', '=', folderId);
    return view.filter === '' ? rows : rows.where(has(view.filter, 'anywhere'));
  };

  return {
    /** A slice of the view. */
    async page(folder: StoredFolder, view: View, slice: Slice): Promise<Entry[]> {
      if (view.sort === 'name' && view.order === 'desc') return backwards(folder, view, slice);
      const ordered = orderedBy(entriesOf(folder.id, view).select(entryColumns), view);
      const rows = await readerOf(folder, view, slice)(ordered.limit(slice.limit).offset(slice.offset).compile());
      return rows.map(entryOf);
    },

    /** Number of entries in the view. */
    async count(folder: StoredFolder, view: View): Promise<number> {
      if (view.filter === '') return folder.folderCount + folder.fileCount;
      const [row] = await (isLarge(folder) ? readLong : readShort)(
        entriesOf(folder.id, view)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .compile(),
      );
      return row?.count ?? 0;
    },

    /** The entry with exactly that name. */
    async entry(folderId: number, name: string): Promise<Entry | undefined> {
      const [, sortKey] = keyOf({ name, kind: 'file' });
      const [row] = await readShort(
        db
          .selectFrom('listing_entry')
          .select(entryColumns)
          .where('folderId', '=', folderId)
          .where('isFile', 'in', [0, 1])
          .where('sortKey', '=', sortKey)
          .where('name', '=', name)
          .compile(),
      );
      return row && entryOf(row);
    },

    /** Whether there is an entry with that name, or with one that may count as the same: it differs in case, in the form of accents, or in zeros. */
    async hasLike(folderId: number, name: string): Promise<boolean> {
      const [, sortKey] = keyOf({ name, kind: 'file' });
      const rows = db.selectFrom('listing_entry').select('name').where('folderId', '=', folderId).where('isFile', 'in', [0, 1]);
      return (await readShort(rows.where('sortKey', '=', sortKey).limit(1).compile())).length > 0;
    },

    /** All entries in the order of the index, in batches. A change between two batches may be in part of them. */
    async *batches(folderId: number): AsyncGenerator<readonly Entry[]> {
      for (let after: RowKey = [-1, '', ''], isLast = false; !isLast;) {
        const rows = await readLong(
          db
            .selectFrom('listing_entry')
            .select([...entryColumns, 'sortKey'])
            .where('folderId', '=', folderId)
            .where(sql<SqlBool>`("isFile", "sortKey", name) > (${after[0]}, ${after[1]}, ${after[2]})`)
            .orderBy('isFile')
            .orderBy('sortKey')
            .orderBy('name')
            .limit(batchSize)
            .compile(),
        );
        if (rows.length > 0) yield rows.map(entryOf);
        const last = rows.at(-1);
        if (last) after = [last.isFile, last.sortKey, last.name];
        isLast = rows.length < batchSize;
      }
    },

    /**
     * Entries in the order of their names' UTF-8 bytes, as if the name of each folder ended with a slash: at most `limit` of those after `from`, or from
     * it on.
     */
    async inByteOrder(folder: StoredFolder, { from, isAfter, limit }: ByteOrderSlice): Promise<Entry[]> {
      const name = sql<string>`(case when "isFile" = 0 then name || '/' else name end)${sql.raw(engine === 'postgres' ? ' collate "C"' : '')}`;
      const rows = await (isLarge(folder) ? readLong : readShort)(
        db
          .selectFrom('listing_entry')
          .select(entryColumns)
          .where('folderId', '=', folder.id)
          .where(sql<SqlBool>`${name} ${sql.raw(isAfter ? '>' : '>=')} ${from}`)
          .orderBy(name)
          .limit(limit)
          .compile(),
      );
      return rows.map(entryOf);
    },

    /** Names whose folded form begins with `start`. */
    async namesFrom(folderId: number, start: string): Promise<string[]> {
      const rows = await readLong(
        db.selectFrom('listing_entry').select('name').where('folderId', '=', folderId).where(has(start, 'first')).compile(),
      );
      return rows.map(({ name }) => name);
    },
  };

  /** Reverse order by name, folders first: two backward scans instead of sorting all rows. */
  async function backwards(folder: StoredFolder, view: View, { offset, limit }: Slice): Promise<Entry[]> {
    const part = async (isFile: 0 | 1, skip: number, count: number): Promise<Entry[]> => {
      if (count <= 0) return [];
      const rows = entriesOf(folder.id, view).select(entryColumns).where('isFile', '=', isFile);
      return (
        await readerOf(folder, view, { offset: skip, limit: count })(
          rows.orderBy('sortKey', 'desc').orderBy('name', 'desc').limit(count).offset(skip).compile(),
        )
      ).map(entryOf);
    };
    const folders = await part(0, offset, limit);
    const foldersBefore = folders.length > 0 || offset === 0 ? offset + folders.length : await countFolders(folder, view);
    return [...folders, ...(await part(1, Math.max(0, offset - foldersBefore), limit - folders.length))];
  }

  async function countFolders(folder: StoredFolder, view: View): Promise<number> {
    if (view.filter === '') return folder.folderCount;
    const rows = entriesOf(folder.id, view).where('isFile', '=', 0);
    const [row] = await (isLarge(folder) ? readLong : readShort)(rows.select(({ fn }) => fn.countAll<number>().as('count')).compile());
    return row?.count ?? 0;
  }
}

function orderedBy<O>(rows: SelectQueryBuilder<Database, 'listing_entry', O>, { sort, order }: View) {
  const folders = rows.orderBy('isFile');
  const sorted = {
    name: folders,
    modified: folders.orderBy(sql`coalesce(modified, ${sql.lit(unknownTime)})`, order),
    size: folders.orderBy(sql`coalesce(size, ${sql.lit(unknownSize)})`, order),
    type: folders.orderBy('extension', order),
  }[sort];
  return sorted.orderBy('sortKey').orderBy('name');
}
