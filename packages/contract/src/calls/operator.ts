import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();

/** A background job whose last attempt failed. Times are epoch seconds. */
export const FailingJob = Type.Object({
  /** The link or account it belongs to, or `system`. */
  scope: text,
  jobId: text,
  kind: text,
  /** `dead`: all attempts have failed. */
  state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('dead')]),
  /** Code of a known error, otherwise its name and message. */
  reason: text,
  attempts: Type.Integer(),
  failedAt: Type.Integer(),
  /** Time of the next attempt. */
  nextAt: Type.Optional(Type.Integer()),
});
export type FailingJob = Static<typeof FailingJob>;

export const listFailingJobs = call({
  method: 'GET',
  path: '/rest/operator/jobs',
  input: Type.Object({}),
  reply: Type.Object({ jobs: Type.Array(FailingJob) }),
  summary: 'For the operator: background jobs whose last attempt failed, the latest first.',
});
export const retryJob = call({
  method: 'POST',
  path: '/rest/operator/retry_job',
  input: Type.Object({ scope: text, jobId: text, rTag: Type.Optional(text) }),
  reply: Type.Object({ isRetried: Type.Boolean() }),
  rTag: 'required',
  summary: 'For the operator: runs a failing background job now; false when it is running, done or gone.',
});
