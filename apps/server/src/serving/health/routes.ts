import { examineSurroundings, sendTestMail, showHealth } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { HealthService } from './service.ts';

export function operatorHealthRoutes(app: FastifyInstance, health: HealthService): void {
  serve(app, showHealth, ({ userId }) => health.show(userId));
  serve(app, examineSurroundings, async ({ userId }) => ({ problems: await health.examine(userId) }));
  serve(app, sendTestMail, ({ userId }) => health.sendTestMail(userId));
}
