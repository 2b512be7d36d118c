import type { Upload } from '../../lib/uploads/uploads.ts';

/** Totals of the running uploads. */
export interface Totals {
  /** Uploads that are running, waiting or asking. */
  readonly open: number;
  /** Share of their bytes that has been sent, 0 to 1. */
  readonly share: number;
  /** Seconds left at the current rate, once known. */
  readonly secondsLeft: number | undefined;
}

export function totalsOf(uploads: readonly Pick<Upload, 'state' | 'file' | 'sent' | 'rate'>[]): Totals {
  const open = uploads.filter(({ state }) => state === 'running' || state === 'waiting' || state === 'asking');
  const size = open.reduce((sum, { file }) => sum + file.size, 0);
  const sent = open.reduce((sum, upload) => sum + upload.sent, 0);
  const rate = open.reduce((sum, upload) => sum + (upload.rate ?? 0), 0);
  return { open: open.length, share: size === 0 ? 0 : sent / size, secondsLeft: rate > 0 ? (size - sent) / rate : undefined };
}
