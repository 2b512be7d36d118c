import { itemActivity, sharedIn } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Activity } from './service.ts';

/** Routes of `contract/item-info.ts`. */
export function activityRoutes(app: FastifyInstance, activity: Activity): void {
  serve(app, itemActivity, ({ userId, input }) => activity.of(userId, input));
  serve(app, sharedIn, ({ userId, input }) => activity.sharedIn(userId, input));
}
