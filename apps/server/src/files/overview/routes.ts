import { linkRooms, listArrivals } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Arrivals } from './arrivals.ts';
import type { createRooms } from './rooms.ts';

/** Routes of `contract/overview.ts`. */
export function overviewRoutes(
  app: FastifyInstance,
  { rooms, arrivals }: { rooms: ReturnType<typeof createRooms>; arrivals: Arrivals },
): void {
  serve(app, linkRooms, ({ userId }) => rooms(userId));
  serve(app, listArrivals, async ({ userId, input }) => ({ arrivals: await arrivals.list(userId, input.limit) }));
}
