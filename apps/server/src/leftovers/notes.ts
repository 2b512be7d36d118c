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

/** Notes down the uploads and moves of this process as they begin, keeps the notes alive while they go on, and strikes them off when nothing is left. */
export function createNotes({ store, newId, now, later, onTrouble }: Deps) {
  /** When each note of what is under way is due, as this process has written it: another time in the database means that another process holds it. */
  const open = new Map<string, number>();
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

  /** False when the note could not be kept: better an upload without a note than none. */
  async function insert(id: string, linkId: string, note: string): Promise<boolean> {
    const dueAt = now() + lease;
    open.set(id, dueAt);
    try {
      await store.insert({ id, linkId, note, begunAt: now(), dueAt });
      return true;
    } catch (error) {
      open.delete(id);
      onTrouble(error);
      return false;
    }
  }

  /** Renews those notes that this process still holds, and forgets the others. */
  async function extend(ids: readonly string[]): Promise<void> {
    const dueAt = now() + lease;
    const held = Map.groupBy(
      ids.filter((id) => open.has(id)),
      (id) => open.get(id) ?? 0,
    );
    for (const [since, group] of held) {
      const renewed = new Set(await store.renew(group, since, dueAt));
      for (const id of group) {
        if (!renewed.has(id)) open.delete(id);
        else if (open.has(id)) open.set(id, dueAt);
      }
    }
  }

  let extending: Promise<unknown> = Promise.resolve();
  /** One renewal after the other: two at once would take each other for another process. */
  function extendInTurn(ids: () => readonly string[]): Promise<void> {
    const turn = extending.then(() => extend(ids()));
    extending = turn.catch(() => undefined);
    return turn;
  }

  return {
    /** Those of one link. */
    of: (linkId: string): Leftovers => ({
      note(text) {
        const id = newId();
        const inserted = insert(id, linkId, text);
        const kept = inserted.then(() => undefined);
        const end = (what: () => void): void => {
          void kept.then(() => {
            const isHeld = open.delete(id);
            if (isHeld && !isClosed) what();
          });
        };
        return {
          kept,
          async hold() {
            // Without a note nobody else knows of the upload.
            if (!(await inserted)) return true;
            await extendInTurn(() => [id]);
            return open.has(id);
          },
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
      await extendInTurn(() => [...open.keys()]);
    },

    /** The notes of what is under way in this process. */
    held: (): string[] => [...open.keys()],

    /** Strikes off what is done; what is still under way is left to the next start. */
    async close(): Promise<void> {
      isClosed = true;
      await strikeOff();
      if (open.size > 0) await store.putOff([...open.keys()], now());
    },
  };
}
