import type { Logger } from 'pino';

/** Work that outlives the request that began it. */
export interface Background {
  /** Starts the task without delaying the caller; logs a failure under that name. Tasks of one queue run in the order of their calls. */
  start(name: string, task: () => Promise<void>, queue?: string): void;
  /** Resolves when no task is running. */
  idle(): Promise<void>;
}

/** Tracks background tasks, so that failures are logged and the process can wait for them before it exits. */
export function createBackground(log: Logger): Background {
  const running = new Set<Promise<void>>();
  /** The newest task of each queue. */
  const newest = new Map<string, Promise<void>>();
  return {
    start(name, task, queue) {
      const before = queue === undefined ? undefined : newest.get(queue);
      const run = (before === undefined ? task() : before.then(task))
        .catch((error: unknown) => log.error({ err: error, task: name }, 'background task failed'))
        .finally(() => {
          running.delete(run);
          if (queue !== undefined && newest.get(queue) === run) newest.delete(queue);
        });
      running.add(run);
      if (queue !== undefined) newest.set(queue, run);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
