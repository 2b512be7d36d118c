import type { SQLInputValue } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { createThread, workerFile } from './thread.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** Runs selects that may take long, such as sorting a folder of a million rows, where they hold up nobody. */
export interface Aside {
  read<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
  close(): Promise<void>;
}

export const statementOf = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters: parameters as readonly SQLInputValue[] });

/** A thread with a connection of its own to the SQLite file. It sees what has been committed. */
export function createAside(file: string): Aside {
  const thread = createThread<Statement, readonly unknown[]>({ file: workerFile('aside-worker', import.meta.url), data: file });
  return {
    async read<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
      try {
        // Kysely has typed the rows of this very query; node:sqlite cannot know them.
        return (await thread.ask(statementOf(query))) as Row[];
      } catch (error) {
        throw new DatabaseUnavailable(error);
      }
    },
    close: () => thread.close(),
  };
}
