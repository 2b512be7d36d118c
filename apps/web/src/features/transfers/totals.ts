import type { LiveTransfer } from '../../lib/transfers/live.ts';
import { shareOf } from '../../lib/transfers/measure.ts';
import type { Upload } from '../../lib/uploads/uploads.ts';

/** Totals of the running uploads and transfers. */
export interface Totals {
  /** Uploads that are running, waiting or asking, and transfers that run. */
  readonly open: number;
  /** Share of their bytes that has been sent, 0 to 1. */
  readonly share: number;
  /** Seconds left at the current rate, once known. */
  readonly secondsLeft: number | undefined;
}

type Sent = Pick<Upload, 'state' | 'file' | 'sent' | 'rate'>;
type Moved = Pick<LiveTransfer, 'state' | 'bytesDone' | 'bytesTotal' | 'itemsDone' | 'itemsTotal' | 'secondsLeft'>;

export function totalsOf(uploads: readonly Sent[], transfers: readonly Moved[] = []): Totals {
  const open = uploads.filter(({ state }) => state === 'running' || state === 'waiting' || state === 'asking');
  const running = transfers.filter(({ state }) => state === 'running' || state === 'planning');
  const size = open.reduce((sum, { file }) => sum + file.size, 0) + running.reduce((sum, { bytesTotal }) => sum + bytesTotal, 0);
  const sent = open.reduce((sum, upload) => sum + upload.sent, 0) + running.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  const rate = open.reduce((sum, upload) => sum + (upload.rate ?? 0), 0);
  const uploadSize = open.reduce((sum, { file, sent: done }) => sum + file.size - done, 0);
  // They go side by side: the last one to end counts. One whose end is unknown leaves the whole unknown.
  const ends = [...(open.length > 0 ? [rate > 0 ? uploadSize / rate : undefined] : []), ...running.map(({ secondsLeft }) => secondsLeft)];
  const known = ends.filter((end) => end !== undefined);
  const [only] = running;
  return {
    open: open.length + running.length,
    share: size > 0 ? sent / size : only ? shareOf(only) : 0,
    secondsLeft: known.length > 0 && known.length === ends.length ? Math.max(...known) : undefined,
  };
}
