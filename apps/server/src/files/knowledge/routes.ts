import { getLinkKnowledge, keepSearchable } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Keeping } from './service.ts';

/** Routes of `contract/knowledge.ts`. */
export function knowledgeRoutes(app: FastifyInstance, keeping: Keeping): void {
  serve(app, getLinkKnowledge, ({ userId, input }) => keeping.get(userId, input.userLinkId));
  serve(app, keepSearchable, ({ userId, input }) => keeping.keep(userId, input));
}
