import type { FastifyInstance } from 'fastify';

interface Deps {
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
}

/** `/healthz` says that the process answers, `/readyz` that it can also serve (database reached, tables up to date). */
export function healthRoutes(app: FastifyInstance, { ping }: Deps): void {
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (request, reply) => {
    try {
      await ping();
      return await reply.type('text/plain').send('ready\n');
    } catch (error) {
      request.log.error({ err: error }, 'not ready');
      return reply.code(503).type('text/plain').send('the database does not answer\n');
    }
  });
}
