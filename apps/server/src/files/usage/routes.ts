import { compareFiles, duplicates, folderUsage } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { UsageService } from './service.ts';

/** Routes of `contract/usage.ts`. */
export function usageRoutes(app: FastifyInstance, usage: UsageService): void {
  serve(app, folderUsage, ({ userId, input: { linkUri } }) =>
    linkUri === undefined ? usage.links(userId) : usage.folder(userId, linkUri),
  );
  serve(app, duplicates, ({ userId, input }) => usage.duplicates(userId, input));
  serve(app, compareFiles, ({ userId, input, signal }) => usage.compare(userId, input, signal));
}
