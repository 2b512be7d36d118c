import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const waiting = new WeakSet<ServerResponse>();

/**
 * For paths that begin like this, a client that sends `Expect: 100-continue` (RFC 9110, section 10.1.1) sends its body only once {@link acceptBody} is
 * called: a refusal costs it no upload. For all others at once.
 */
export function holdBodies(app: FastifyInstance, starts: readonly string[]): void {
  app.server.on('checkContinue', (request, response) => {
    if (starts.some((start) => request.url?.startsWith(start))) waiting.add(response);
    else response.writeContinue();
    app.routing(request, response);
  });
}

/** Lets the client send its body. */
export function acceptBody(response: ServerResponse): void {
  if (waiting.delete(response) && !response.headersSent) response.writeContinue();
}
