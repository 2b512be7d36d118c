import { type Job, type JobList, errorTable, jobTitleOf } from '@sheaf/contract';
import type { Operators } from '#/identity/admission/operators.ts';
import type { Clock } from '#/platform/clock.ts';
import type { JobRef, Jobs } from '#/platform/jobs/jobs.ts';
import type { OperatedJobsStore } from './store.ts';

/** Most jobs of one list. */
const mostJobs = 100;

type Row = Awaited<ReturnType<Jobs['failing']>>[number];

interface Deps {
  readonly operators: Pick<Operators, 'require'>;
  readonly jobs: Pick<Jobs, 'failing' | 'running' | 'waiting' | 'counts' | 'countFailing' | 'find' | 'retryNow' | 'cancel' | 'isScheduled'>;
  readonly store: OperatedJobsStore;
  readonly now: Clock;
}

export type OperatedJobs = ReturnType<typeof createOperatedJobs>;

/** Background jobs as operators see and change them. Rejects with NOT_OPERATOR for everybody else. */
export function createOperatedJobs({ operators, jobs, store, now }: Deps) {
  function shown(row: Row): Job {
    const { scope, id, kind, state, reason, attempts, failedAt, dueAt, createdAt } = row;
    return {
      scope,
      jobId: id,
      kind,
      state: state === 'dead' || state === 'running' || state === 'held' ? state : 'waiting',
      isScheduled: jobs.isScheduled(row),
      createdAt: seconds(createdAt),
      attempts,
      ...(reason !== null && { reason: publicReason(reason) }),
      ...(failedAt !== null && { failedAt: seconds(failedAt) }),
      ...(state === 'ready' && dueAt !== null && { nextAt: seconds(dueAt) }),
    };
  }

  /** Applies a change to a job and logs it; returns false, without an entry, when the job allows it no more. */
  async function change(
    userId: string,
    ref: JobRef,
    action: 'jobs.retry' | 'jobs.cancel',
    act: (ref: JobRef) => Promise<boolean>,
  ): Promise<boolean> {
    await operators.require(userId);
    const row = await jobs.find(ref);
    if (!row || !(await act(ref))) return false;
    await store.record({ actorId: userId, action, subject: `${jobTitleOf(row.kind)} (${row.id})`, at: now() });
    return true;
  }

  return {
    async list(userId: string, list: JobList): Promise<{ jobs: Job[]; counts: Record<JobList, number> }> {
      await operators.require(userId);
      const [rows, counts, failed] = await Promise.all([
        list === 'failed' ? jobs.failing(mostJobs) : jobs[list](mostJobs),
        jobs.counts(),
        jobs.countFailing(),
      ]);
      const sum = (...states: string[]): number =>
        counts.filter(({ state }) => states.includes(state)).reduce((total, { count }) => total + count, 0);
      return {
        jobs: rows.map(shown),
        counts: { running: sum('running'), waiting: Math.max(0, sum('ready', 'held') - failed.waiting), failed: failed.all },
      };
    },

    /** Runs a waiting or failed job now; false when it is running, done or gone. */
    retry: (userId: string, ref: JobRef): Promise<boolean> => change(userId, ref, 'jobs.retry', jobs.retryNow),

    /** Gives a job up; false when it is scheduled work, done or gone. */
    cancel: (userId: string, ref: JobRef): Promise<boolean> => change(userId, ref, 'jobs.cancel', jobs.cancel),
  };
}

const seconds = (milliseconds: number): number => Math.floor(Number(milliseconds) / 1000);

/** What operators may see of a stored reason: a known code, or the error's name and system code. Its message may quote names and addresses. */
export function publicReason(reason: string): string {
  if (reason in errorTable) return reason;
  const [, name, message = ''] = /^([\w$]+): ([\s\S]*)$/.exec(reason) ?? [];
  if (name === undefined) return reason.includes(':') ? 'Error' : reason;
  const code = /\b(?:E[A-Z]{4,}|SQLITE_[A-Z_]+)\b/.exec(message)?.[0];
  return code === undefined ? name : `${name} (${code})`;
}
