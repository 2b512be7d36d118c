import type { Engine } from '#/platform/db/schema/engine.ts';

/** A table and its columns. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Runs a statement; returns its rows as arrays. */
export type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** Tables that are not copied, as each database fills its own: SQLite's, the full-text index with its numbers, progress and what is still to be taken out of it, and the list of migrations. */
const made = /^(sqlite_|listing_search|listing_link$|search_index$|search_gone$|migration$)/;
/** Columns that triggers of SQLite fill. */
const madeColumns = new Set(['listing_entry.searchId']);

const listings = {
  sqlite: {
    columns: `select m.name as child, c.name as other from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' order by m.rowid, c.cid`,
    references: `select m.name as child, f."table" as other from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table'`,
  },
  postgres: {
    columns: `select c.relname as child, a.attname as other from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by c.oid, a.attnum`,
    references: `select child.relname as child, parent.relname as other from pg_constraint k join pg_class child on child.oid = k.conrelid
      join pg_class parent on parent.oid = k.confrelid where k.contype = 'f' and child.relnamespace = current_schema()::regnamespace`,
  },
} as const satisfies Record<Engine, unknown>;

/** Tables whose rows a copy carries, each after the tables that it refers to. */
export async function tablesOf(engine: Engine, query: Query): Promise<Table[]> {
  const columns = new Map<string, string[]>();
  for (const [table, column] of await query(listings[engine].columns)) {
    const name = String(table);
    if (made.test(name)) continue;
    const list = columns.get(name) ?? [];
    columns.set(name, list);
    if (!madeColumns.has(`${name}.${String(column)}`)) list.push(String(column));
  }
  const references = (await query(listings[engine].references)).map(([from, to]) => [String(from), String(to)] as const);
  const begun = new Set<string>();
  const ordered: Table[] = [];
  const add = (name: string): void => {
    const list = columns.get(name);
    if (!list || begun.has(name)) return;
    begun.add(name);
    for (const [from, to] of references) if (from === name && to !== name) add(to);
    ordered.push({ name, columns: list });
  };
  for (const name of columns.keys()) add(name);
  return ordered;
}

/** Whether the database has no tables at all. */
export async function isEmpty(engine: Engine, query: Query): Promise<boolean> {
  return (await query(listings[engine].columns)).length === 0;
}

/** The identifier in quotes, as SQL requires it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
