import { listOperatedProviders, testProvider } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Operator } from './service.ts';

export function operatorRoutes(app: FastifyInstance, operator: Operator): void {
  serve(app, listOperatedProviders, async ({ userId }) => ({ providers: await operator.list(userId) }));
  serve(app, testProvider, ({ userId, input, signal }) => operator.test(userId, input.provider, signal));
}
