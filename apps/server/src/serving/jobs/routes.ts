import { cancelJob, listJobs, retryJob } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { OperatedJobs } from './service.ts';

export function operatedJobRoutes(app: FastifyInstance, jobs: OperatedJobs): void {
  serve(app, listJobs, ({ userId, input }) => jobs.list(userId, input.list));
  serve(app, retryJob, async ({ userId, input }) => ({ isRetried: await jobs.retry(userId, { scope: input.scope, id: input.jobId }) }));
  serve(app, cancelJob, async ({ userId, input }) => ({
    isCancelled: await jobs.cancel(userId, { scope: input.scope, id: input.jobId }),
  }));
}
