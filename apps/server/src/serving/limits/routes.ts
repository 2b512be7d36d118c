import { findLimitable, setLimits, showLimits } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { OperatedLimits } from './service.ts';

export function operatedLimitRoutes(app: FastifyInstance, limits: OperatedLimits): void {
  serve(app, showLimits, ({ userId }) => limits.show(userId));
  serve(app, findLimitable, async ({ userId, input }) => ({ accounts: await limits.search(userId, input.query) }));
  serve(app, setLimits, async ({ userId, input: { accountId, links, shares, transfers, bandwidth } }) => {
    await limits.set(userId, accountId, {
      ...(links !== undefined && { links }),
      ...(shares !== undefined && { shares }),
      ...(transfers !== undefined && { transfers }),
      ...(bandwidth !== undefined && { bandwidth }),
    });
    return {};
  });
}
