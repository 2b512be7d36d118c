import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Accepts `application/x-www-form-urlencoded` and `multipart/form-data` (text fields only) besides JSON. A repeated field becomes a list. An empty
 * body has no fields, even if declared as JSON. Bodies beyond the app's bodyLimit are refused before they are read.
 */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) =>
    fields(new URLSearchParams(body.toString())),
  );
  const readJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else void readJson(request, body, done);
  });
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async (request: FastifyRequest, body: string | Buffer) => {
    const type = request.headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(Buffer.from(body)), { headers: { 'content-type': type } })
      .formData()
      .catch((error: unknown) => {
        throw Object.assign(new Error('the multipart body cannot be read', { cause: error }), { statusCode: 400 });
      });
    return fields([...form].filter((field): field is [string, string] => typeof field[1] === 'string'));
  });
}

function fields(pairs: Iterable<[string, string]>): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of pairs) {
    const earlier = result[name];
    // Pushes in place: copying the list for each of half a million repeated fields would take quadratic time.
    if (Array.isArray(earlier)) earlier.push(value);
    else result[name] = earlier === undefined ? value : [earlier, value];
  }
  return result;
}
