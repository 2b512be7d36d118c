import type { Transfer } from '@sheaf/contract';
import { formatDuration, formatSize } from '#/lib/format.ts';
import type { LiveTransfer } from '#/lib/transfers/live.ts';

const number = new Intl.NumberFormat('en-GB');

/** A count with separators. */
export const formatCount = (count: number): string => number.format(count);

/** A number of items with its noun. */
export const itemsText = (count: number): string => (count === 1 ? '1 item' : `${formatCount(count)} items`);

/** Speed and time left of a running transfer, as far as they are known. */
export function paceOf({ rate, secondsLeft }: Pick<LiveTransfer, 'rate' | 'secondsLeft'>): {
  readonly speed?: string;
  readonly left?: string;
} {
  return {
    ...(rate !== undefined && { speed: `${formatSize(Math.round(rate))}/s` }),
    ...(secondsLeft !== undefined && secondsLeft > 0 && { left: `${formatDuration(secondsLeft)} left` }),
  };
}

/** A moment (epoch ms): the time for today, otherwise with the day. */
export function formatMoment(moment: number, now = new Date(), locale?: string): string {
  const date = new Date(moment);
  const isToday = date.toDateString() === now.toDateString();
  return isToday
    ? date.toLocaleTimeString(locale, { timeStyle: 'short' })
    : date.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Seconds that a transfer took; undefined unless it has begun and ended. */
export const tookSeconds = ({ startedAt, endedAt }: Pick<Transfer, 'startedAt' | 'endedAt'>): number | undefined =>
  startedAt === undefined || endedAt === undefined ? undefined : (endedAt - startedAt) / 1000;

/** The moment in so many seconds. */
export const momentIn = (seconds: number): string => formatMoment(Date.now() + seconds * 1000);
