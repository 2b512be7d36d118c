import { type Job, errorTable } from '@sheaf/contract';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const shown = (seconds: number): string => time.format(seconds * 1000);

/** Why the last attempt failed. Of a known error its sentence, without the names that it would quote; of others what the log calls them. */
export function reasonText(reason: string): string {
  const row = Object.entries(errorTable).find(([code]) => code === reason)?.[1];
  return row === undefined ? `${reason}. The log of the server has the details.` : row.text.replaceAll(/"?\{\w+\}"?/g, '…');
}

/** When a job runs, ran or failed. */
export function timesOf({ state, attempts, failedAt, nextAt, createdAt, isScheduled }: Job): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const sentences = [
    ...(failedAt === undefined ? [] : [`Failed ${shown(failedAt)}, ${tries}.`]),
    ...(state === 'running' ? [failedAt === undefined && attempts > 1 ? `Running, ${tries}.` : 'Running.'] : []),
    ...(state === 'held' ? ['Waits for another job before it.'] : []),
    ...(state === 'dead' ? ['Not tried again by itself.'] : []),
    ...(nextAt === undefined ? [] : [`${failedAt === undefined ? 'Runs' : 'Next attempt'} ${shown(nextAt)}.`]),
    ...(isScheduled ? [] : [`Created ${shown(createdAt)}.`]),
  ];
  return sentences.join(' ');
}
