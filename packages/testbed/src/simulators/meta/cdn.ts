import { type Description, type Mount, type SimulatedRequest, answerContent, createContents } from '../kit/index.ts';

const text = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const description: Description = {
  paths: {
    '/{id}/{form}': {
      get: {
        parameters: [inPath('id'), inPath('form'), { name: 'oe', in: 'query', required: true, schema: text }],
        responses: {
          200: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
          403: { content: { 'text/plain': { schema: text } } },
          404: {},
          416: {},
        },
      },
    },
  },
};

const types: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', mp4: 'video/mp4' };

/** Media hosts: short-lived signed URLs that accept no token. */
export function createCdn() {
  const contents = createContents({ hashes: {} });
  const held = new Map<string, ReturnType<typeof contents.of>>();
  let epoch = 1;
  const mount: Mount = {
    at: '/cdn',
    description,
    open: 'all',
    alsoStatuses: { 400: null, 429: null, 500: null },
    routes: {
      'GET /{id}/{form}': (request: SimulatedRequest) => {
        // The token would leak to a host that it is not meant for.
        if (request.headers.authorization !== undefined) return { status: 400, text: 'a token was sent' };
        const { id = '', form = '' } = request.params;
        if (request.query.get('oe') !== String(epoch)) return { status: 403, text: 'URL signature expired' };
        const content = held.get(`${id}/${form}`);
        if (!content) return { status: 404 };
        return answerContent(request, content, { type: types[form.split('.')[1] ?? ''] ?? 'application/octet-stream' });
      },
    },
  };
  return {
    mount,
    put: (id: string, form: string, bytes: string | Uint8Array): void => void held.set(`${id}/${form}`, contents.of(bytes)),
    address: (url: SimulatedRequest['url'], id: string, form: string): string => url(`/cdn/${id}/${form}?oe=${epoch}`),
    /** Expires every URL issued so far. */
    expire: (): void => void (epoch += 1),
  };
}
export type Cdn = ReturnType<typeof createCdn>;
