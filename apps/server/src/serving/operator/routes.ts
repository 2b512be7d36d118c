import { listFailingJobs, listOperatedProviders, retryJob, testProvider } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Operator } from './service.ts';

export function operatorRoutes(app: FastifyInstance, operator: Operator): void {
  serve(app, listOperatedProviders, async ({ userId }) => ({ providers: await operator.list(userId) }));
  serve(app, listFailingJobs, async ({ userId }) => ({ jobs: await operator.failingJobs(userId) }));
  serve(app, retryJob, async ({ userId, input }) => ({
    isRetried: await operator.retryJob(userId, { scope: input.scope, id: input.jobId }),
  }));
  serve(app, testProvider, ({ userId, input, signal }) => operator.test(userId, input.provider, signal));
}
