import { CompiledQuery, type Kysely } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export interface Column {
  readonly type: string;
  /** Whether an insert may leave it out. */
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

/** What inserts and reads of a program depend on. */
export interface Schema {
  /** By table and column. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Column>>;
  /** Unique indexes, and constraints on Postgres: the name, its table and columns. A rule without columns is one of the whole row. */
  readonly rules: ReadonlyMap<string, { readonly table: string; readonly columns: readonly string[] }>;
  /** What a write to a table sets off, by its name and table. */
  readonly triggers: ReadonlyMap<string, { readonly table: string; readonly text: string }>;
}

const columnsOf: Readonly<Record<Engine, string>> = {
  sqlite: `select m.name as "table", c.name as "column", c.type as type, c."notnull" = 0 and c.pk = 0 as nullable,
      c."notnull" = 0 or c.dflt_value is not null or (c.pk > 0 and c.type = 'integer') as optional
    from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%' and m.sql not like 'create virtual%'`,
  postgres: `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
};
const rulesOf: Readonly<Record<Engine, string>> = {
  sqlite: `select i.name as name, m.name as "table", coalesce(c.name, '') as "column" from sqlite_master m join pragma_index_list(m.name) i
    join pragma_index_info(i.name) c where m.type = 'table' and i."unique" = 1`,
  postgres: `select x.relname as name, t.relname as "table", coalesce(a.attname, '') as "column" from pg_index i join pg_class x on x.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid cross join unnest(i.indkey::int[]) k left join pg_attribute a on a.attrelid = t.oid and a.attnum = k and k > 0
      where i.indisunique and t.relnamespace = current_schema()::regnamespace
    union all select k.conname, t.relname, coalesce(a.attname, '') from pg_constraint k join pg_class t on t.oid = k.conrelid
      left join lateral unnest(k.conkey) n on true left join pg_attribute a on a.attrelid = t.oid and a.attnum = n
      where k.contype in ('c', 'f') and t.relnamespace = current_schema()::regnamespace`,
};

const triggersOf: Readonly<Record<Engine, string>> = {
  sqlite: `select name, tbl_name as "table", sql as text from sqlite_master where type = 'trigger'`,
  postgres: `select t.tgname as name, c.relname as "table", pg_get_triggerdef(t.oid) || ' ' || p.prosrc as text from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`,
};

/** Reads the schema as the database itself describes it. */
export async function readSchema(db: Kysely<Database>, engine: Engine): Promise<Schema> {
  const rowsOf = async (query: string) => (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(query))).rows;
  const tables = new Map<string, Map<string, Column>>();
  for (const { table, column, type, nullable, optional } of await rowsOf(columnsOf[engine])) {
    const columns = tables.get(String(table)) ?? new Map<string, Column>();
    tables.set(
      String(table),
      columns.set(String(column), { type: String(type), isNullable: Boolean(nullable), isOptional: Boolean(optional) }),
    );
  }
  const rules = new Map<string, { table: string; columns: string[] }>();
  for (const { name, table, column } of await rowsOf(rulesOf[engine])) {
    const rule = rules.get(String(name)) ?? { table: String(table), columns: [] };
    rules.set(String(name), rule);
    if (column !== '') rule.columns.push(String(column));
  }
  const triggers = new Map(
    (await rowsOf(triggersOf[engine])).map(({ name, table, text }) => [
      `${String(name)} of ${String(table)}`,
      { table: String(table), text: String(text) },
    ]),
  );
  return { tables, rules, triggers };
}

/** What of a change would break a program that knows only the tables before it. */
export function breaksOf(before: Schema, after: Schema): string[] {
  const breaks: string[] = [];
  for (const [table, columns] of before.tables) {
    const now = after.tables.get(table);
    if (!now) {
      breaks.push(`${table} is gone`);
      continue;
    }
    for (const [name, was] of columns) {
      const is = now.get(name);
      if (!is) breaks.push(`${table}.${name} is gone`);
      else if (is.type !== was.type) breaks.push(`${table}.${name} was ${was.type} and is ${is.type}`);
      else if (was.isNullable && !is.isNullable) breaks.push(`${table}.${name} must not be null any more`);
      else if (was.isOptional && !is.isOptional) breaks.push(`${table}.${name} has no default any more`);
    }
    for (const [name, { isOptional }] of now)
      if (!columns.has(name) && !isOptional) breaks.push(`${table}.${name} is new, and inserts that do not know it are refused`);
  }
  for (const [name, { table, columns }] of after.rules) {
    const known = before.tables.get(table);
    // A new column is null in the rows of the earlier version, and nulls differ from each other.
    const asksOfNew = columns.some((column) => known?.has(column) === false && after.tables.get(table)?.get(column)?.isNullable);
    if (known && !before.rules.has(name) && !asksOfNew) breaks.push(`${name} is a new rule for rows of ${table}`);
  }
  for (const [name, { table, text }] of before.triggers) {
    const now = after.triggers.get(name);
    if (after.tables.has(table) && now?.text !== text) breaks.push(now ? `${name} does something else` : `${name} is gone`);
  }
  for (const [name, { table }] of after.triggers) if (before.tables.has(table) && !before.triggers.has(name)) breaks.push(`${name} is new`);
  return breaks;
}
