import type { Logger } from 'pino';

/** Work that outlives the request that began it. */
export interface Background {
  /** Runs the task now, without making anyone wait; a failure is logged under that name. */
  start(name: string, task: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** Keeps hold of background work, so that none is lost unheard and the process can wait for it before it ends. */
export function createBackground(log: Logger): Background {
  const running = new Set<Promise<void>>();
  return {
    start(name, task) {
      const run = task()
        .catch((error: unknown) => log.error({ err: error, task: name }, 'background task failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
