import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Hands out the client for computers: the package of the command line, which npm installs from this address. Whatever `platform` says, it is the
 * same file. Without a built client the address is the page that says so.
 */
export function downloadRoutes(app: FastifyInstance, file: string): void {
  app.get('/downloaddesktop', async (request, reply) => {
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
