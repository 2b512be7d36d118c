import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { DatabaseUnavailable } from './unavailable.ts';

export interface Question {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}
export type Answer = { readonly id: number; readonly rows: readonly unknown[] } | { readonly id: number; readonly error: unknown };

/** Runs selects that may take long, such as sorting a folder of a million rows, where they hold up nobody. */
export interface Aside {
  read<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
  close(): Promise<void>;
}

/** A thread with a connection of its own to the SQLite file, begun with the first question. It sees what has been committed. */
export function createAside(file: string): Aside {
  const waiting = new Map<number, PromiseWithResolvers<readonly unknown[]>>();
  let worker: Worker | undefined;
  let last = 0;

  function failAll(error: unknown): void {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new DatabaseUnavailable(error));
    waiting.clear();
  }

  function begin(): Worker {
    const begun = new Worker(new URL(import.meta.filename.endsWith('.ts') ? './aside-worker.ts' : './aside-worker.js', import.meta.url), {
      workerData: file,
    });
    begun.on('message', (answer: Answer) => {
      const question = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('rows' in answer) question?.resolve(answer.rows);
      else question?.reject(new DatabaseUnavailable(answer.error));
      if (waiting.size === 0) begun.unref();
    });
    begun.on('error', failAll);
    begun.on('exit', () => failAll(new Error('the reading thread has ended')));
    return begun;
  }

  return {
    async read<Row>({ sql, parameters }: CompiledQuery<Row>): Promise<Row[]> {
      worker ??= begin();
      worker.ref();
      const question: Question = { id: ++last, sql, parameters: parameters as readonly SQLInputValue[] };
      const answer = Promise.withResolvers<readonly unknown[]>();
      waiting.set(question.id, answer);
      worker.postMessage(question);
      // Kysely has typed the rows of this very query; node:sqlite cannot know them.
      return (await answer.promise) as Row[];
    },
    async close() {
      await worker?.terminate();
    },
  };
}
