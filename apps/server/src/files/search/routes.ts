import { search } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Search } from './service.ts';

/** Routes of `contract/search.ts`. */
export function searchRoutes(app: FastifyInstance, searching: Search): void {
  serve(app, search, ({ userId, input, signal }) => searching.find(userId, input, signal));
}
