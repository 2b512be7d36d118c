import type { Leftovers } from '@sheaf/connectors';
import type { Logger } from 'pino';
import type { Clock } from '#/clock.ts';
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
  let clearing: ReturnType<typeof createClearing> | undefined;
  return {
    /** The moves and copies that have not ended, of this process and others. */
    transfers: createTransfers({ store, now, clearOne: async (leftover) => clearing?.clearOne(leftover) }),

    /** Keeps the notes of one link. */
    of: (linkId: string): Leftovers => notes.of(linkId),

    /**
     * Begins to clear up: at once, and then again and again. Where no other process uses the database (`isAlone`), all notes are of a process that has
     * ended, and no lease is waited for.
     */
    watch(open: Open, { isAlone }: { readonly isAlone: boolean }): void {
      clearing = createClearing({
        store,
        open,
        notes,
        now,
        onTrouble: (error, userLinkId, isGivenUp) =>
          log.warn({ err: error, userLinkId, isGivenUp }, 'what an upload has left could not be removed'),
      });
      const look = async (): Promise<void> => {
        await notes.renew();
        await clearing?.clear();
      };
      later('leftovers', async () => {
        if (isAlone) await store.expireOthers(notes.held(), now());
        await look();
      });
      timer = setInterval(() => later('leftovers', look), renewEvery).unref();
    },

    /** Tries again at once what could not be removed from a source that answers again. */
    retry: (linkId: string): void => later('leftovers', async () => clearing?.retry(linkId)),

    async close(): Promise<void> {
      clearInterval(timer);
      await notes.close();
    },
  };
}
