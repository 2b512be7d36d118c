import { brandLogoPath } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Presented } from './brand.ts';

/** Scripts in a logo that somebody opens by itself do not run. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the operator's logo, where there is one. */
export function brandRoutes(app: FastifyInstance, { brandLogo }: Presented): void {
  if (!brandLogo) return;
  const { bytes, mimeType } = brandLogo;
  app.get(brandLogoPath, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').header('content-security-policy', policy).type(mimeType).send(bytes),
  );
}
