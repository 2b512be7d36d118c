import type { Transfer } from '@sheaf/contract';
import { createRate } from '#/lib/uploads/rate.ts';

/** Milliseconds over which the speed is measured: long enough for small files and storages that confirm in bursts. */
const speedWindow = 10_000;

/** Milliseconds before which a speed says nothing about the time left: connections are opened, and servers answer in bursts. */
const settling = 3000;

/** What is measured of a running transfer. */
export interface Pace {
  /** Bytes per second over the last seconds, once known; 0 while nothing arrives. */
  readonly rate: number | undefined;
  /** Seconds left at that pace; undefined while it cannot be told. */
  readonly secondsLeft: number | undefined;
}

type Progress = Pick<Transfer, 'bytesDone' | 'bytesTotal' | 'itemsDone' | 'itemsTotal' | 'itemsFailed'>;

/** Measures a transfer: `note` takes its progress and the time in ms, again and again, also without progress, so that a stall shows. */
export function createPace() {
  const bytes = createRate(speedWindow);
  const items = createRate(speedWindow);
  let begun: number | undefined;
  let last = 0;
  return {
    note(progress: Progress, at: number): void {
      begun ??= at;
      last = at;
      bytes.note(progress.bytesDone, at);
      items.note(progress.itemsDone, at);
    },
    of: (progress: Progress): Pace => ({
      rate: bytes.rate(),
      secondsLeft: last - (begun ?? last) < settling ? undefined : secondsLeft(progress, bytes.rate(), items.rate()),
    }),
  };
}

/** Seconds left: by bytes, or by items where those take longer, as many small files do. */
export function secondsLeft(progress: Progress, byteRate = 0, itemRate = 0): number | undefined {
  const bytes = progress.bytesTotal - progress.bytesDone;
  const items = progress.itemsTotal - progress.itemsDone - progress.itemsFailed;
  if (bytes > 0 && byteRate <= 0) return undefined;
  const byBytes = bytes > 0 ? bytes / byteRate : 0;
  const byItems = items > 0 && itemRate > 0 ? items / itemRate : 0;
  if (byBytes === 0 && items > 0 && itemRate <= 0) return undefined;
  // One large file takes as long as its bytes do, however few items came in between.
  return bytes > 0 && items <= 1 ? byBytes : Math.max(byBytes, byItems);
}

/** Share of the transfer that is done, 0 to 1: by bytes, or by items where there are none. */
export function shareOf({ bytesDone, bytesTotal, itemsDone, itemsTotal }: Omit<Progress, 'itemsFailed'>): number {
  if (bytesTotal > 0) return Math.min(1, bytesDone / bytesTotal);
  return itemsTotal > 0 ? Math.min(1, itemsDone / itemsTotal) : 0;
}

/** States in which the server works on the transfer, so that it changes without the user. */
export const isActive = ({ state }: Pick<Transfer, 'state'>): boolean => state === 'planning' || state === 'running' || state === 'waiting';

/** States in which nothing more happens unless the user asks for it. */
export const hasEnded = ({ state }: Pick<Transfer, 'state'>): boolean => state === 'done' || state === 'failed' || state === 'canceled';
