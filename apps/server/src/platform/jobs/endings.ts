import { setTimeout as sleep } from 'node:timers/promises';
import type { EndStore, Ended } from './end-store.ts';

interface Deps {
  readonly store: EndStore;
  /** Milliseconds for which a failing write is retried: after the lease other runners have the jobs. */
  readonly retryFor: number;
  readonly onTrouble: (error: unknown) => void;
}

/** Most endings in one transaction. */
const batch = 200;
/** Milliseconds between two tries to write. */
const pause = 500;

/** Batches endings while others are being written, so that a thousand short jobs do not cost a thousand syncs to disk. */
export function createEndings({ store, retryFor, onTrouble }: Deps) {
  const waiting: { readonly ended: Ended; readonly since: number; readonly done: () => void }[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.length > 0) {
        const taken = waiting.splice(0, batch);
        try {
          await store.end(taken.map(({ ended }) => ended));
          for (const { done } of taken) done();
        } catch (error) {
          onTrouble(error);
          const given = performance.now() - retryFor;
          for (const one of taken) {
            if (one.since > given) waiting.push(one);
            else one.done();
          }
          await sleep(pause);
        }
      }
    } finally {
      isWriting = false;
    }
  }

  return {
    /** Resolves when the ending is stored, or cannot be: then the lease expires and the job runs again. */
    end: (ended: Ended): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ ended, since: performance.now(), done: resolve });
        if (!isWriting) void write();
      }),
  };
}
export type Endings = ReturnType<typeof createEndings>;
