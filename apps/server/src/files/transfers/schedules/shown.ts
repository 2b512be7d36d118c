import type { ErrorAnswer, Schedule, ScheduleResult, TransferState } from '@sheaf/contract';
import { sourcesOf, targetOf } from '../rows/ends.ts';
import type { TransferRow } from '../rows/store.ts';
import type { ScheduleRow } from './store.ts';

const results: Readonly<Record<TransferState, ScheduleResult>> = {
  planning: 'running',
  planned: 'asks',
  running: 'running',
  paused: 'running',
  waiting: 'running',
  done: 'done',
  failed: 'failed',
  canceled: 'canceled',
};

/** A schedule with its last run, for the browser. */
export function scheduleOf(row: ScheduleRow, last: TransferRow | undefined): Schedule {
  const error = row.error ?? last?.error ?? null;
  const result = row.error === null ? last && results[last.state] : 'failed';
  return {
    scheduleId: row.id,
    name: row.name,
    kind: row.kind,
    from: [...sourcesOf(row)],
    to: targetOf(row),
    conflict: row.conflict,
    verify: row.verify,
    ...(row.versionDays !== null && { versionDays: Number(row.versionDays) }),
    ...(row.versionRuns !== null && { versionRuns: Number(row.versionRuns) }),
    isPaused: row.pausedAt !== null,
    cron: row.cron,
    timezone: row.timezone,
    nextRun: Number(row.nextRunAt),
    ...(row.bytesPerSecond !== null && { bytesPerSecond: Number(row.bytesPerSecond) }),
    ...(row.keepVersions !== null && { keepVersions: row.keepVersions }),
    ...(row.lastRunAt !== null && { lastRun: Number(row.lastRunAt) }),
    ...(row.lastTransferId !== null && { lastTransferId: row.lastTransferId }),
    ...(result !== undefined && { lastResult: result }),
    ...(error !== null && { error: JSON.parse(error) as ErrorAnswer }),
    ...(row.missedAt !== null && { missedRun: Number(row.missedAt) }),
  };
}
