import { listUploads, tus } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Uploads } from './service.ts';
import { tusRoutes } from './tus-routes.ts';

/** Routes of `contract/uploads.ts`: a user's uploads. */
export function uploadRoutes(app: FastifyInstance, uploads: Uploads): void {
  serve(app, listUploads, async ({ userId }) => ({ uploads: await uploads.unfinished(userId) }));
  tusRoutes(app, uploads, {
    url: tus.path,
    session: 'required',
    addressOf: () => tus.path,
    within: ({ userId, signal }, work) => work({ userId }, signal),
  });
}
