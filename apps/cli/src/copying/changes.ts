import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isSystemError } from '#/failure.ts';

/** Milliseconds without a change after which a folder counts as at rest: programs write a file in several steps. */
const rest = 1000;
/** Milliseconds after which a folder that changes all the time is yielded nevertheless. */
const patience = 30_000;

export interface Pauses {
  readonly rest: number;
  readonly patience: number;
  readonly longest: () => number;
}

export const usualPauses = { rest, patience } as const;

/**
 * Yields at once, then whenever something in a folder has changed and is at rest again, until `signal` aborts. Yields even without a change after `longest`
 * milliseconds: not every file system reports all changes.
 */
export async function* changesOf(root: string, signal: AbortSignal, pauses: Pauses): AsyncGenerator<void> {
  let last = 0;
  let wake = (): void => undefined;
  const watcher = watchTree(root, () => {
    last = Date.now();
    wake();
  });
  const stop = (): void => wake();
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted) {
      const begun = Date.now();
      yield;
      if (signal.aborted) return;
      // A change during the pass begins another one at once, as its file may have been read before it.
      if (last < begun)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pauses.longest());
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wake = () => undefined;
      for (const first = Date.now(); !signal.aborted && Date.now() - last < pauses.rest && Date.now() - first < pauses.patience;)
        await wait(Math.max(1, last + pauses.rest - Date.now()), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    watcher?.close();
  }
}

/** Watches a folder and all below it; undefined where the system gives no such watch, or no more of them. */
function watchTree(root: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(root, { recursive: true }, onChange);
    // The folder itself is gone, or the system has no more watches: the next look is by time.
    watcher.on('error', onChange);
    return watcher;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
