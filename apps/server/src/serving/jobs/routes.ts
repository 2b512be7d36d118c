import { cancelJob, listJobs, retryJob } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { OperatedJobs } from './service.ts';

export function operatedJobRoutes(app: FastifyInstance, jobs: OperatedJobs): void {
  serve(app, listJobs, ({ userId, input }) => jobs.list(userId, input.list));
  serve(app, retryJob, async ({ userId, session, input }) => {
    requireBrowser(session);
    return { isRetried: await jobs.retry(userId, { scope: input.scope, id: input.jobId }) };
  });
  serve(app, cancelJob, async ({ userId, session, input }) => {
    requireBrowser(session);
    return { isCancelled: await jobs.cancel(userId, { scope: input.scope, id: input.jobId }) };
  });
}
