import type { FastifyInstance } from 'fastify';

/** Timeout of the database's answer, in milliseconds. */
const defaultTimeout = 5000;

interface Deps {
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
  readonly timeout?: number;
}

/** `/healthz`: the process answers. `/readyz`: it can also serve (database reachable, tables migrated). */
export function healthRoutes(app: FastifyInstance, { ping, timeout = defaultTimeout }: Deps): void {
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (request, reply) => {
    try {
      await inTime(ping(), timeout);
      return await reply.type('text/plain').send('ready\n');
    } catch (error) {
      request.log.error({ err: error }, 'not ready');
      return reply.code(503).type('text/plain').send('the database does not answer\n');
    }
  });
}

/** Awaits the promise; rejects after `milliseconds`. */
async function inTime(awaited: Promise<void>, milliseconds: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
