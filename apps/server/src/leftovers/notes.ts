import type { Leftovers } from '@sheaf/connectors';
import type { Clock } from '#/clock.ts';
import type { LeftoverStore } from './store.ts';

interface Deps {
  readonly store: LeftoverStore;
  readonly newId: () => string;
  readonly now: Clock;
  /** Runs what nobody waits for, and tells when it fails. */
  readonly later: (name: string, task: () => Promise<void>) => void;
  /** Told when an upload goes on without a note. */
  readonly onTrouble: (error: unknown) => void;
}

/** Seconds after its last sign of life from which an upload counts as broken; renewed five times as often. */
export const lease = 300;
/** ms for which ended uploads are gathered, to be struck off together. */
const gathering = 1000;

/** Notes down the uploads of this process as they begin, keeps the notes alive while they go on, and strikes them off when nothing is left. */
export function createNotes({ store, newId, now, later, onTrouble }: Deps) {
  /** Uploads under way. */
  const open = new Set<string>();
  let ended: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function strikeOff(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const ids = ended;
    ended = [];
    if (ids.length > 0) await store.remove(ids);
  }

  async function insert(id: string, linkId: string, note: string): Promise<void> {
    try {
      await store.insert({ id, linkId, note, begunAt: now(), dueAt: now() + lease });
    } catch (error) {
      // Better an upload without a note than none.
      onTrouble(error);
    }
  }

  return {
    /** Those of one link. */
    of: (linkId: string): Leftovers => ({
      note(text) {
        const id = newId();
        open.add(id);
        const kept = insert(id, linkId, text);
        const end = (what: () => void): void => {
          open.delete(id);
          if (!isClosed) void kept.then(what);
        };
        return {
          kept,
          gone: () =>
            end(() => {
              ended.push(id);
              timer ??= setTimeout(() => later('striking off leftovers', strikeOff), gathering).unref();
            }),
          stays: () => end(() => later('noting a leftover', () => store.putOff([id], now()))),
        };
      },
    }),

    /** Tells other processes that the uploads go on; to be called more often than {@link lease}. */
    async renew(): Promise<void> {
      if (open.size > 0) await store.putOff([...open], now() + lease);
    },

    /** Strikes off what is done; what is still under way is left to the next start. */
    async close(): Promise<void> {
      isClosed = true;
      await strikeOff();
      if (open.size > 0) await store.putOff([...open], now());
    },
  };
}
