import { listSettings } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { OperatedSettings } from './service.ts';

export function operatedSettingRoutes(app: FastifyInstance, settings: OperatedSettings): void {
  serve(app, listSettings, ({ userId }) => settings.list(userId));
}
