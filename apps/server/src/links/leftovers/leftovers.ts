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

/** What broken uploads and moves leave at sources: noted down before they begin, and removed or finished by whichever process finds it later. */
export function createLeftovers({ store, newId, now, later, log }: Deps) {
  const notes = createNotes({ store, newId, now, later, onTrouble: (error) => log.warn({ err: error }, 'an upload could not be noted') });
  let timer: NodeJS.Timeout | undefined;
  let isExpired = false;
  let clearing: ReturnType<typeof createClearing> | undefined;
  return {
    /** The moves and copies that have not ended, of this process and others. */
    transfers: createTransfers({ store, now, clearOne: async (leftover) => clearing?.clearOne(leftover) }),

    /** Keeps the notes of one link. */
    of: (linkId: string): Leftovers => notes.of(linkId),

    /**
     * Keeps the notes of this process alive, and calls `wake` soon after a note of another becomes due. Where no other process uses the database
     * (`isAlone`), all notes are of a process that has ended, and no lease is waited for.
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

    /** The links whose notes are due: each may be cleared up by itself, so that a slow one holds up no other. */
    async dueLinks(): Promise<{ linkId: string; key: string }[]> {
      if (!isExpired) await store.expireOthers(notes.held(), now());
      isExpired = true;
      return (await clearing?.dueLinks()) ?? [];
    },
    /** Removes or finishes what is due at the source of one link. */
    clear: async (linkId: string): Promise<void> => clearing?.clear(linkId),

    /** Tries again at once what could not be removed from a source that answers again. */
    retry: (linkId: string): void => later('leftovers', async () => clearing?.retry(linkId)),

    async close(): Promise<void> {
      clearInterval(timer);
      await notes.close();
    },
  };
}
