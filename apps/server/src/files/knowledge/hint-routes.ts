import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Hints } from './hints.ts';

/** Path at which a provider's hints arrive; the provider is a source of the catalogue. */
export const hintPath = (provider: string): string => `/webhooks/changes/${provider}`;
/** Most bytes of a hint: it names accounts or subscriptions. */
const longest = 262_144;

/**
 * The address that services call when something has changed. Answers 404 to everything that is not a known service's, and tells nobody why. `hints` is
 * undefined where services cannot reach this installation.
 */
export function hintRoutes(app: FastifyInstance, hints: Hints | undefined): void {
  async function answer(request: FastifyRequest<{ Params: { provider: string } }>, reply: FastifyReply): Promise<FastifyReply> {
    const { method, body, headers, params } = request;
    const { searchParams } = new URL(request.url, 'http://sheaf.invalid');
    const heard = await hints?.hear(params.provider, {
      method,
      query: searchParams,
      headers,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    });
    if (!heard) return reply.code(404).send();
    // The services want their text back as it is, and not as a page.
    if (heard.echo !== undefined)
      return reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff').send(heard.echo);
    return reply.code(200).send();
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: longest }, async (_request: unknown, body: string | Buffer) => body);
    scope.get(hintPath(':provider'), answer);
    scope.post(hintPath(':provider'), answer);
  });
}
