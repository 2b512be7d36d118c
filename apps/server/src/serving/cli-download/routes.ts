import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** Platforms that the address may name; for each it is the same package. */
const platforms = new Set(['mac', 'win', 'linux']);

/**
 * Hands out the client for computers: the package of the command line, which npm installs from this address. An unknown platform leads to the
 * page on which one is chosen. Without a built client the address is the page that says so.
 */
export function downloadRoutes(app: FastifyInstance, file: string): void {
  app.get('/downloaddesktop', async (request, reply) => {
    const { platform } = request.query as Readonly<Record<string, string | undefined>>;
    if (platform !== undefined && !platforms.has(platform)) return reply.redirect('/download');
    const size = await sizeOf(file);
    if (size === undefined) return reply.callNotFound();
    return reply
      .type('application/gzip')
      .header('content-disposition', 'attachment; filename="sheaf-cli.tgz"')
      .header('content-length', size)
      .header('cache-control', 'no-cache')
      .send(request.method === 'HEAD' ? undefined : createReadStream(file));
  });
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
