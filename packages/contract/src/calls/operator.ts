import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();

/** Background jobs in the operator's view: `failed` ones wait for another attempt, or have used up all. */
export const jobLists = ['running', 'waiting', 'failed'] as const;
export type JobList = (typeof jobLists)[number];

/** A background job, without its payload. Times are epoch seconds. */
export const Job = Type.Object({
  /** The link or account it belongs to, or `system`. */
  scope: text,
  jobId: text,
  /** A key of `jobTitles`, perhaps with the id of a data folder. */
  kind: text,
  /** `held`: waits for another job of its kind. `dead`: all attempts have failed. */
  state: Type.Unsafe<JobState>({ type: 'string', enum: ['waiting', 'held', 'running', 'dead'] }),
  /** Runs on a schedule; cannot be cancelled. */
  isScheduled: Type.Boolean(),
  createdAt: Type.Integer(),
  attempts: Type.Integer(),
  /** Code of a known error, otherwise the name of the error; never its message, which may quote names and addresses. */
  reason: Type.Optional(text),
  failedAt: Type.Optional(Type.Integer()),
  /** Time of the next attempt. */
  nextAt: Type.Optional(Type.Integer()),
});
export type Job = Static<typeof Job>;
type JobState = 'waiting' | 'held' | 'running' | 'dead';

export const listJobs = call({
  method: 'GET',
  path: '/rest/operator/jobs',
  input: Type.Object({ list: Type.Unsafe<JobList>({ type: 'string', enum: [...jobLists] }) }),
  reply: Type.Object({
    /** At most a hundred. */
    jobs: Type.Array(Job),
    /** Total number of jobs in each list. */
    counts: Type.Object({ running: Type.Integer(), waiting: Type.Integer(), failed: Type.Integer() }),
  }),
  summary: 'For the operator: background jobs that run, wait or have failed.',
});

const JobRef = Type.Object({ scope: text, jobId: text, rTag: Type.Optional(text) });
export const retryJob = call({
  method: 'POST',
  path: '/rest/operator/retry_job',
  input: JobRef,
  reply: Type.Object({ isRetried: Type.Boolean() }),
  rTag: 'required',
  summary: 'For the operator: runs a waiting or failed background job now; false when it is running, done or gone.',
});
export const cancelJob = call({
  method: 'POST',
  path: '/rest/operator/cancel_job',
  input: JobRef,
  reply: Type.Object({ isCancelled: Type.Boolean() }),
  rTag: 'required',
  summary: 'For the operator: gives a background job up; false when it is scheduled work, done or gone.',
});
