import { type Leftovers, type NotedTransfer, createMutex } from '@sheaf/connectors';
import type { Clock } from '#/platform/clock.ts';
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

/** Seconds after its last renewal from which an upload counts as broken. Long, because a living upload whose lease is lost fails. */
export const lease = 300;
/** The same for moves and copies: short, so that a half-done folder does not stay for long. Two processes may finish the same one. */
export const transferLease = 30;
/** ms between two renewals. */
export const renewEvery = 10_000;
/** ms for which ended uploads are gathered, to be struck off together. */
const gathering = 1000;

/** The lease of a note, in seconds. */
export const leaseOf = ({ kind }: { readonly kind: string | null }): number => (kind === null ? lease : transferLease);

interface Held {
  /** When the note is due, as this process has written it: another time in the database means that another process holds it. */
  readonly dueAt: number;
  readonly seconds: number;
}

/** Notes down the uploads and moves of this process as they begin, keeps the notes alive while they go on, and strikes them off when nothing is left. */
export function createNotes({ store, newId, now, later, onTrouble }: Deps) {
  /** The notes that this process works on. */
  const open = new Map<string, Held>();
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
  async function insert(id: string, linkId: string, note: string, transfer: NotedTransfer | undefined): Promise<boolean> {
    const { kind = null, from: fromPath = null, to: toPath = null } = transfer ?? {};
    const seconds = leaseOf({ kind });
    const dueAt = now() + seconds;
    open.set(id, { dueAt, seconds });
    try {
      await store.insert({ id, linkId, note, begunAt: now(), dueAt, kind, fromPath, toPath, isFailed: 0 });
      return true;
    } catch (error) {
      open.delete(id);
      onTrouble(error);
      return false;
    }
  }

  /** Renews those notes that this process still holds, and forgets the others. */
  async function extend(ids: readonly string[]): Promise<void> {
    const time = now();
    const held = Map.groupBy(
      ids.flatMap((id) => {
        const one = open.get(id);
        return one ? [{ id, ...one }] : [];
      }),
      ({ dueAt, seconds }) => `${dueAt} ${seconds}`,
    );
    for (const group of held.values()) {
      const [{ dueAt: since, seconds } = { dueAt: 0, seconds: 0 }] = group;
      const dueAt = time + seconds;
      const renewed = new Set(
        await store.renew(
          group.map(({ id }) => id),
          since,
          dueAt,
        ),
      );
      for (const { id } of group) {
        if (!renewed.has(id)) open.delete(id);
        else if (open.has(id)) open.set(id, { dueAt, seconds });
      }
    }
  }

  const oneByOne = createMutex();
  /** One renewal after the other: two at once would take each other for another process. */
  const extendInTurn = (ids: () => readonly string[]): Promise<void> => oneByOne(() => extend(ids()));

  return {
    /** Those of one link. */
    of: (linkId: string): Leftovers => ({
      note(text, transfer) {
        const id = newId();
        const inserted = insert(id, linkId, text, transfer);
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
              // Others are refused, or wait, until the note of a move is gone.
              if (transfer) return later('striking off leftovers', strikeOff);
              timer ??= setTimeout(() => later('striking off leftovers', strikeOff), gathering).unref();
            }),
          stays: () => end(() => later('noting a leftover', () => store.putOff([id], now()))),
        };
      },
    }),

    /** Tells other processes that the uploads go on; to be called more often than {@link transferLease}. */
    async renew(): Promise<void> {
      await extendInTurn(() => [...open.keys()]);
    },

    /** Keeps a note alive that this process has taken over. */
    adopt: (id: string, held: Held): void => void open.set(id, held),
    release: (id: string): void => void open.delete(id),

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
export type Notes = ReturnType<typeof createNotes>;
