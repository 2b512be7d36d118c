import { type Leftovers, type NotedTransfer, createMutex } from '@sheaf/connectors';
import type { Clock } from '#/platform/clock.ts';
import type { LeftoverStore } from './store.ts';

interface Deps {
  readonly store: LeftoverStore;
  readonly newId: () => string;
  readonly now: Clock;
  /** Runs a background task and logs its failure. */
  readonly later: (name: string, task: () => Promise<void>) => void;
  /** Called when an upload goes on without a note. */
  readonly onTrouble: (error: unknown) => void;
}

/** Lease of an upload in seconds. Long, because a running upload that loses its lease fails. */
export const lease = 300;
/** Lease of moves and copies: short, so that a half-done folder does not stay for long. Two processes may finish the same one. */
export const transferLease = 30;
/** Milliseconds between two renewals. */
export const renewEvery = 10_000;
/** Milliseconds for which ended uploads are collected, to delete their notes together. */
const gathering = 1000;

/** The lease of a note, in seconds. */
export const leaseOf = ({ kind }: { readonly kind: string | null }): number => (kind === null ? lease : transferLease);

interface Held {
  /** The due time as this process has written it: a different time in the database means that another process holds the note. */
  readonly dueAt: number;
  readonly seconds: number;
}

/** Records this process's uploads and moves as they begin, renews their leases, and deletes them when nothing is left. */
export function createNotes({ store, newId, now, later, onTrouble }: Deps) {
  /** Notes held by this process. */
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

  /** False when the note could not be stored: an upload without a note is better than none. */
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

  /** Renews the notes that this process still holds, and forgets the others. */
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
  /** One renewal at a time: two would take each other for another process. */
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
            // Without a note no other process knows the upload.
            if (!(await inserted)) return true;
            await extendInTurn(() => [id]);
            return open.has(id);
          },
          gone: (when) =>
            end(() => {
              ended.push(id);
              // Conflicting changes are refused, or wait, until a move's note is deleted; after a crash, a session that is continued must not be cleared up.
              if (transfer || when === 'now') return later('striking off leftovers', strikeOff);
              timer ??= setTimeout(() => later('striking off leftovers', strikeOff), gathering).unref();
            }),
          stays: () => end(() => later('noting a leftover', () => store.putOff([id], now()))),
        };
      },
    }),

    /** Renews leases; call it more often than {@link transferLease}. */
    async renew(): Promise<void> {
      await extendInTurn(() => [...open.keys()]);
    },

    /** Renews a note that this process has taken over. */
    adopt: (id: string, held: Held): void => void open.set(id, held),
    release: (id: string): void => void open.delete(id),

    /** Notes of this process's running operations. */
    held: (): string[] => [...open.keys()],

    /** Deletes ended notes; running operations are left to the next start. */
    async close(): Promise<void> {
      isClosed = true;
      await strikeOff();
      if (open.size > 0) await store.putOff([...open.keys()], now());
    },
  };
}
export type Notes = ReturnType<typeof createNotes>;
