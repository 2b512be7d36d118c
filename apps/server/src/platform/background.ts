import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedMutex } from '@sheaf/connectors/kit/concurrency/keyed-mutex.ts';
import type { Logger } from 'pino';

/** Work that outlives the request that began it. */
export interface Background {
  /** Starts the task without delaying the caller; logs a failure under that name. Tasks of one queue run in the order of their calls. */
  start(name: string, task: () => Promise<void>, queue?: string): void;
  /** Like `start`, after the answer to the current request: its duration then does not reveal what the task does. */
  startAfterAnswer(name: string, task: () => Promise<void>): void;
  /** Resolves when no task is running. */
  idle(): Promise<void>;
}

/** Tracks background tasks, so that failures are logged and the process can wait for them before it exits. */
export function createBackground(log: Logger): Background {
  const running = new Set<Promise<void>>();
  const inQueue = createKeyedMutex();
  const start: Background['start'] = (name, task, queue) => {
    const run = (queue === undefined ? task() : inQueue(queue, task))
      .catch((error: unknown) => log.error({ err: error, task: name }, 'background task failed'))
      .finally(() => running.delete(run));
    running.add(run);
  };
  return {
    start,
    startAfterAnswer: (name, task) => start(name, () => nextTurn().then(task)),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
