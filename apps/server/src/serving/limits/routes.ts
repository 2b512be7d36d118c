import { findLimitable, setLimits, showLimits } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { OperatedLimits } from './service.ts';

export function operatedLimitRoutes(app: FastifyInstance, limits: OperatedLimits): void {
  serve(app, showLimits, ({ userId }) => limits.show(userId));
  serve(app, findLimitable, async ({ userId, input }) => ({ accounts: await limits.search(userId, input.query) }));
  serve(app, setLimits, async ({ userId, session, input: { accountId, links, shares, transfers, bandwidth } }) => {
    requireBrowser(session);
    await limits.set(userId, accountId, {
      ...(links !== undefined && { links }),
      ...(shares !== undefined && { shares }),
      ...(transfers !== undefined && { transfers }),
      ...(bandwidth !== undefined && { bandwidth }),
    });
    return {};
  });
}
