import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import type { OpenDatabase } from './database.ts';
import { faultOf, isLocked, retryLocked, usualPatience } from './engines/sqlite-faults.ts';

/** Runs a compiled select; at once with SQLite, so that a hot path waits for nothing. */
export type Read = <Row>(query: CompiledQuery<Row>) => Promise<Row[]> | Row[];

/** Prepared statements kept; all go when there are more. */
const statementsKept = 200;

/**
 * Reads that go round Kysely's driver: with SQLite a prepared statement on the shared connection, a fifth of the time. It may see what a
 * transaction under way in this process has written so far, so it is for rows that may be a moment off, such as listings.
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
    // Kysely has typed the rows of this very query; node:sqlite cannot know them.
    const rows = () => statement(parameters as readonly SQLInputValue[]) as Row[];
    try {
      return rows();
    } catch (error) {
      if (!isLocked(error)) throw faultOf(error);
      return retryLocked(rows, usualPatience);
    }
  };
}

type Prepared = (parameters: readonly SQLInputValue[]) => unknown[];

/** A select that gives its rows as objects. They are fetched as arrays: the objects that node:sqlite makes itself take twice the time. */
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
  // The types of node:sqlite do not know of rows that are arrays.
  return (parameters) => (statement.all(...parameters) as unknown as unknown[][]).map(rowOf);
}
