import { weblinkUploadsPath } from '@sheaf/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Uploads } from '#/files/uploads/service.ts';
import { tusRoutes } from '#/files/uploads/tus-routes.ts';
import type { PublicShares } from './public-shares.ts';
import { type Visiting, visitOf } from './visiting-routes.ts';

interface Deps {
  readonly publicShares: PublicShares;
  readonly uploads: Uploads;
  readonly visited: Visiting['visited'];
}

/** Uploads of visitors into shares that take them. */
export function visitorsUploadRoutes(app: FastifyInstance, { publicShares, uploads, visited }: Deps): void {
  const visitTo = (request: FastifyRequest) => visitOf(request, weblinkOf(request));
  tusRoutes<'none'>(app, uploads, {
    url: weblinkUploadsPath(':weblinkId'),
    session: 'none',
    addressOf: (request) => weblinkUploadsPath(weblinkOf(request)),
    within: (context, work) =>
      visited(weblinkOf(context.request), context, async (visit, signal) => work(await publicShares.uploader(visit), signal), 'upload'),
    begins: ({ request }, { name, size, modified }) =>
      publicShares.countUpload(visitTo(request), [name, String(size), String(modified ?? '')]),
    stored: ({ request }) => publicShares.uploaded(visitTo(request)),
  });
}

const weblinkOf = ({ params }: FastifyRequest): string => (params as { weblinkId: string }).weblinkId;
