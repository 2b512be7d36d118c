import type { SQLInputValue } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { createThread, workerFile } from './thread.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** Runs long selects, such as sorting a folder of a million rows, without blocking others. */
export interface Aside {
  read<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
  close(): Promise<void>;
}

export const statementOf = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters: parameters as readonly SQLInputValue[] });

/** A thread with its own connection to the SQLite file. It sees committed data only. */
export function createAside(file: string): Aside {
  const thread = createThread<Statement, readonly unknown[]>({ file: workerFile('aside-worker', import.meta.url), data: file });
  return {
    async read<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
      try {
        // Kysely has typed the rows of this query; node:sqlite cannot.
        return (await thread.ask(statementOf(query))) as Row[];
      } catch (error) {
        throw new DatabaseUnavailable(error);
      }
    },
    close: () => thread.close(),
  };
}
