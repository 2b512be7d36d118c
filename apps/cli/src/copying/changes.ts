import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isSystemError } from '#/failure.ts';

/** Milliseconds without a change before a folder is copied: programs write a file in several steps. */
const rest = 1000;
/** Maximum delay in milliseconds for a folder that changes all the time. */
const patience = 30_000;

export interface Pauses {
  readonly rest: number;
  readonly patience: number;
  readonly longest: () => number;
}

export const usualPauses = { rest, patience } as const;

/**
 * Yields immediately, then after each change of the folder once it has settled, until `signal` aborts. Also yields after `longest` milliseconds without a
 * change, because some file systems do not report all changes.
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
      // A change during the pass starts another one immediately: the file may have been read before the change.
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

/** Watches a folder tree; undefined if the system does not support it, or has no watches left. */
function watchTree(root: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(root, { recursive: true }, onChange);
    // The folder is gone, or the system has no watches left: the next pass starts by time.
    watcher.on('error', onChange);
    return watcher;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
