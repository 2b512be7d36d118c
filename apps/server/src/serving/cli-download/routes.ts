import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** Platforms that the address may name; all get the same package. */
const platforms = new Set(['mac', 'win', 'linux']);

/**
 * Serves the client for computers: the command line's package, which npm installs from this address. An unknown platform redirects to the page for
 * choosing one. Without a built client the address shows that page.
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
