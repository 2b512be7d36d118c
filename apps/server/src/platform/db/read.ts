import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import type { OpenDatabase } from './database.ts';
import { faultOf, isLocked, retryLocked, defaultTimeout } from './engines/sqlite-faults.ts';

/** Runs a compiled select; synchronously with SQLite, for hot paths. */
export type Read = <Row>(query: CompiledQuery<Row>) => Promise<Row[]> | Row[];

/** Most prepared statements cached; the cache is emptied when full. */
const statementsKept = 200;

/**
 * Reads that bypass Kysely's driver: with SQLite a prepared statement on the shared connection, in a fifth of the time. It may see uncommitted writes
 * of this process, so it is for rows that may be slightly off, such as listings.
 */
export function createRead({ db, sqlite }: Pick<OpenDatabase, 'db' | 'sqlite'>): Read {
  if (!sqlite) return async (query) => (await db.executeQuery(query)).rows;
  const statements = new Map<string, Prepared>();
  return <Row>({ sql, parameters }: CompiledQuery<Row>) => {
    let prepared = statements.get(sql);
    if (!prepared) {
      if (statements.size >= statementsKept) statements.clear();
      prepared = prepare(sqlite, sql);
      statements.set(sql, prepared);
    }
    const statement = prepared;
    // Kysely has typed the rows of this query; node:sqlite cannot.
    const rows = () => statement(parameters as readonly SQLInputValue[]) as Row[];
    try {
      return rows();
    } catch (error) {
      if (!isLocked(error)) throw faultOf(error);
      return retryLocked(rows, defaultTimeout);
    }
  };
}

type Prepared = (parameters: readonly SQLInputValue[]) => unknown[];

/** Prepares a select that returns rows as objects. Fetches them as arrays: node:sqlite's own objects take twice the time. */
function prepare(sqlite: DatabaseSync, sql: string): Prepared {
  const statement = sqlite.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  const rowOf = (values: unknown[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const column of columns) row[column] = values[index++];
    return row;
  };
  // The types of node:sqlite do not know rows as arrays.
  return (parameters) => (statement.all(...parameters) as unknown as unknown[][]).map(rowOf);
}
