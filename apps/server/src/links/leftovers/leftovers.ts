import type { Leftovers } from '@sheaf/connectors';
import type { Logger } from 'pino';
import type { Clock } from '#/platform/clock.ts';
import { type Open, createClearing } from './clearing.ts';
import { createNotes, renewEvery } from './notes.ts';
import type { LeftoverStore } from './store.ts';
import { createTransfers } from './transfers.ts';

interface Deps {
  readonly store: LeftoverStore;
  readonly newId: () => string;
  readonly now: Clock;
  readonly later: (name: string, task: () => Promise<void>) => void;
  readonly log: Logger;
}

/** Remains of broken uploads and moves at sources: recorded before they begin, and removed or finished by any process later. */
export function createLeftovers({ store, newId, now, later, log }: Deps) {
  const notes = createNotes({ store, newId, now, later, onTrouble: (error) => log.warn({ err: error }, 'an upload could not be noted') });
  let timer: NodeJS.Timeout | undefined;
  let isExpired = false;
  let clearing: ReturnType<typeof createClearing> | undefined;
  return {
    /** Moves and copies that have not ended, of all processes. */
    transfers: createTransfers({ store, now, clearOne: async (leftover) => clearing?.clearOne(leftover) }),

    /** Records the operations of one link. */
    of: (linkId: string): Leftovers => notes.of(linkId),

    /**
     * Renews this process's leases, and calls `wake` soon after a note of another becomes due. With `isAlone` (no other process uses the database)
     * all notes belong to a dead process, and no lease is waited for.
     */
    watch(open: Open, { isAlone, wake }: { readonly isAlone: boolean; readonly wake: () => Promise<void> }): void {
      clearing = createClearing({
        store,
        open,
        notes,
        now,
        onTrouble: (error, userLinkId, isGivenUp) =>
          log.warn({ err: error, userLinkId, isGivenUp }, 'what an upload has left could not be removed'),
      });
      if (!isAlone) isExpired = true;
      const look = async (): Promise<void> => {
        await notes.renew();
        if ((await store.due(now(), 1)).length > 0) await wake();
      };
      timer = setInterval(() => later('leftovers', look), renewEvery).unref();
    },

    /** Links with due notes: each is processed on its own, so that a slow one delays no other. */
    async dueLinks(): Promise<{ linkId: string; key: string }[]> {
      if (!isExpired) await store.expireOthers(notes.held(), now());
      isExpired = true;
      return (await clearing?.dueLinks()) ?? [];
    },
    /** Removes or finishes what is due at the source of one link. */
    clear: async (linkId: string): Promise<void> => clearing?.clear(linkId),

    /** Retries failed removals at once, because the source answers again. */
    retry: (linkId: string): void => later('leftovers', async () => clearing?.retry(linkId)),

    async close(): Promise<void> {
      clearInterval(timer);
      await notes.close();
    },
  };
}
