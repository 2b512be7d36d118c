import { listPlaces, notePlace, orderPlaces, pinPlace, unpinPlace } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Places } from './service.ts';

export function placeRoutes(app: FastifyInstance, places: Places): void {
  serve(app, listPlaces, ({ userId }) => places.list(userId));
  serve(app, pinPlace, async ({ userId, input }) => {
    await places.pin(userId, input);
    return {};
  });
  serve(app, unpinPlace, async ({ userId, input }) => {
    await places.unpin(userId, input.linkUri);
    return {};
  });
  serve(app, notePlace, async ({ userId, input }) => {
    await places.note(userId, input);
    return {};
  });
  serve(app, orderPlaces, async ({ userId, input }) => {
    await places.order(userId, input);
    return {};
  });
}
