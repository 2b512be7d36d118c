import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { DueLeftover, LeftoverRow, LeftoverStore } from './store.ts';

interface Deps {
  readonly store: Pick<LeftoverStore, 'transfers' | 'find'>;
  readonly now: Clock;
  /** Finishes a transfer whose process has died; rejects with the source's error. */
  readonly clearOne: (leftover: DueLeftover) => Promise<void>;
}

/** A running move, by the paths of its link. */
export interface PendingMove {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Milliseconds between two checks of another process's move. */
const lookEvery = 250;
/** Milliseconds for which a repeated call waits for another process's move. */
const longestJoin = 600_000;
/** Milliseconds for which a conflicting change waits, so that one right after a move is not refused. */
const grace = 2000;

/** Long moves that have not ended: which changes they block, and how a repeated call waits for the first one. */
export function createTransfers({ store, now, clearOne }: Deps) {
  /** Those that a process works on or will within its lease. A failed one is retried later and blocks nobody. */
  async function movesOf(linkId: string): Promise<PendingMove[]> {
    return (await store.transfers(linkId)).filter(({ kind, isFailed }) => kind === 'move' && isFailed === 0).flatMap(pendingMove);
  }

  async function blocking(linkId: string, path: string): Promise<PendingMove | undefined> {
    return (await movesOf(linkId)).find(({ from, to }) => overlap(path, from) || overlap(path, to));
  }

  return {
    movesOf,

    /** Waits for a move between these paths, and finishes it when its process has died. False without one. */
    async join(linkId: string, from: string, to: string, signal: AbortSignal): Promise<boolean> {
      const rows = await store.transfers(linkId);
      const found = rows.find(({ kind, fromPath, toPath }) => kind === 'move' && fromPath === from && toPath === to);
      if (!found) return false;
      const until = performance.now() + longestJoin;
      for (;;) {
        const row = await store.find(found.id);
        if (!row) return true;
        if (row.dueAt <= now() || row.isFailed === 1) await clearOne(row);
        else if (signal.aborted || performance.now() > until) throw underWay({ from });
        else await wait(lookEvery, signal);
      }
    },

    /** Rejects with RENAME_UNDER_WAY while the item, its parent or its content is being moved. */
    async check(linkId: string, path: string, signal: AbortSignal): Promise<void> {
      const until = performance.now() + grace;
      for (;;) {
        const found = await blocking(linkId, path);
        if (!found) return;
        if (signal.aborted || performance.now() > until) throw underWay(found);
        await wait(lookEvery / 2, signal);
      }
    },

    /** The error for a taken path: RENAME_UNDER_WAY if a move takes it, else the given error. */
    async explain(linkId: string, path: string, error: unknown): Promise<unknown> {
      const found = (await movesOf(linkId)).find(({ from, to }) => path === from || path === to);
      return found ? underWay(found, error) : error;
    },
  };
}

const pendingMove = ({ id, fromPath, toPath }: LeftoverRow): PendingMove[] =>
  fromPath === null || toPath === null ? [] : [{ id, from: fromPath, to: toPath }];

const contains = (folder: string, path: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);
const overlap = (one: string, other: string): boolean => contains(one, other) || contains(other, one);

const underWay = ({ from }: Pick<PendingMove, 'from'>, cause?: unknown) => appError('RENAME_UNDER_WAY', { name: nameOf(from) }, cause);

/** Returns early when the signal aborts; the caller checks it. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
