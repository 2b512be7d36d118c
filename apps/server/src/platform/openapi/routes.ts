import type { FastifyInstance } from 'fastify';

/** Serves the API's description, built at the first request. */
export function openapiRoutes(app: FastifyInstance, version: string): void {
  let document: string | undefined;
  app.get('/rest/openapi.json', async (_request, reply) => {
    const { openapiDocument } = await import('./document.ts');
    document ??= JSON.stringify(openapiDocument(version));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
