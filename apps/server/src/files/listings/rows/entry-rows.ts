import type { Entry } from '@sheaf/connectors';
import { foldName } from '@sheaf/contract';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { extensionOf, sortKeyOf } from './sort-key.ts';

type EntryRow = Selectable<Database['listing_entry']>;
/** Columns that make an entry. */
export const entryColumns = ['name', 'isFile', 'size', 'modified', 'etag', 'mimeType'] as const;
export type ShownRow = Pick<EntryRow, (typeof entryColumns)[number]>;

export const entryOf = ({ name, isFile, size, modified, etag, mimeType }: ShownRow): Entry => ({
  name,
  kind: isFile === 1 ? 'file' : 'folder',
  ...(size !== null && { size }),
  ...(modified !== null && { modified }),
  ...(etag !== null && { etag }),
  ...(mimeType !== null && { mimeType }),
});

/** Key of an entry's row. */
export const keyOf = ({ name, kind }: Pick<Entry, 'name' | 'kind'>): RowKey => [kind === 'file' ? 1 : 0, sortKeyOf(name), name];
export type RowKey = readonly [isFile: number, sortKey: string, name: string];

/** Values of an entry's row: `isFile`, `sortKey`, `name`, `folded`, `extension`, `size`, `modified`, `etag`, `mimeType`. */
export function valuesOf(entry: Entry): readonly unknown[] {
  const folded = foldName(entry.name);
  const { size = null, modified = null, etag = null, mimeType = null } = entry;
  const times = modified === null ? null : Math.trunc(modified);
  return [...keyOf(entry), folded === entry.name ? null : folded, extensionOf(entry.name), size, times, etag, mimeType];
}

/** Stores entries of a folder, replacing rows of the same kind and name. One statement for any number. */
export async function putEntries(db: Kysely<Database>, engine: Engine, folderId: number, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await insertRows(folderId, listOf(engine, JSON.stringify(entries.map(valuesOf))), sql`true`).execute(db);
}

/** Stores the listed rows that fulfil the condition; does not write unchanged rows. */
export const insertRows = (folderId: number, listed: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    insert into listing_entry ("folderId", "isFile", "sortKey", name, folded, extension, size, modified, etag, "mimeType")
    select cast(${folderId} as bigint), cast(value->>0 as integer), value->>1, value->>2, value->>3, value->>4,
      cast(value->>5 as bigint), cast(value->>6 as bigint), value->>7, value->>8
    from ${listed} where ${condition}
    on conflict ("folderId", "isFile", "sortKey", name) do update set
      size = excluded.size, modified = excluded.modified, etag = excluded.etag, "mimeType" = excluded."mimeType"
    where listing_entry.size is distinct from excluded.size or listing_entry.modified is distinct from excluded.modified
      or listing_entry.etag is distinct from excluded.etag or listing_entry."mimeType" is distinct from excluded."mimeType"
  `;

/** Deletes rows of a folder. One statement for any number. */
export async function dropEntries(db: Kysely<Database>, engine: Engine, folderId: number, keys: readonly RowKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from listing_entry where "folderId" = ${folderId} and ${isOneOf(engine, keys)}
  `.execute(db);
}

/** Condition on `listing_entry`: the row has one of these keys. */
export const isOneOf = (engine: Engine, keys: readonly RowKey[]): RawBuilder<unknown> => sql`
  ("isFile", "sortKey", name) in (select cast(value->>0 as integer), value->>1, value->>2 from ${listOf(engine, JSON.stringify(keys))})`;

/** A JSON array of arrays as a table with the single column `value`. */
export const listOf = (engine: Engine, json: string): RawBuilder<unknown> =>
  engine === 'postgres' ? sql`json_array_elements(${json}::json) as listed(value)` : sql`json_each(${json}) as listed`;
