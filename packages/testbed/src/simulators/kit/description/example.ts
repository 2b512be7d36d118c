import {
  type OAuthOptions,
  type Problem,
  answerContent,
  createContents,
  createOAuth,
  nodeHash,
  readContentRange,
  refuse,
  startSimulator,
} from '../index.ts';
import type { Description } from './description.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ 'application/json': { schema } });
const failure = { content: json({ type: 'object', required: ['error'], properties: { error: text } }) };
const file = { content: json({ $ref: '#/components/schemas/File' }) };
const id = { name: 'id', in: 'path', required: true, schema: text };
const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

/** A minimal file provider that exercises every part of the kit. */
const description: Description = {
  paths: {
    '/files': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 100 } },
          { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string', enum: ['name', 'size'] } }, explode: false },
          { name: 'X-Arg', in: 'header', content: json({ type: 'object', required: ['path'], properties: { path: text } }) },
        ],
        responses: {
          200: { content: json({ type: 'array', items: { $ref: '#/components/schemas/File' } }) },
          400: failure,
          default: failure,
        },
      },
      post: {
        parameters: [{ name: 'name', in: 'query', schema: text }],
        requestBody: {
          required: true,
          content: {
            ...json({ allOf: [{ $ref: '#/components/schemas/Draft' }] }),
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['attributes', 'file'],
                properties: { attributes: { $ref: '#/components/schemas/Draft' }, file: { type: 'string', format: 'binary' } },
              },
            },
            'multipart/related': { schema: { type: 'string', format: 'binary' } },
            ...bytes,
          },
        },
        responses: { 201: file, default: failure },
      },
    },
    '/files/recent': { get: { responses: { 200: file, default: failure } } },
    '/files/{id}': {
      parameters: [id],
      get: { responses: { 200: file, 401: failure, 403: failure, 404: failure, 429: failure } },
      delete: { responses: { 204: {}, default: failure } },
    },
    '/files/{file_id}#rename': {
      put: {
        parameters: [{ ...id, name: 'file_id' }],
        requestBody: { content: json({ type: 'object', required: ['name'], properties: { name: text } }) },
        responses: { 200: file, default: failure },
      },
    },
    '/files/{file_id}#share': {
      put: {
        parameters: [{ ...id, name: 'file_id' }],
        requestBody: { content: json({ type: 'object', required: ['shared'], properties: { shared: { type: 'boolean' } } }) },
        responses: { 200: file, default: failure },
      },
    },
    '/files/{id}/content': {
      parameters: [id],
      get: { responses: { 200: { content: bytes }, 416: {}, default: failure } },
      head: { responses: { 200: { content: bytes } } },
      put: {
        parameters: [{ name: 'Content-Range', in: 'header', schema: text }],
        requestBody: { content: bytes },
        responses: { 200: file, 308: {}, default: failure },
      },
    },
    '/raw/{path}': { get: { parameters: [{ ...id, name: 'path' }], responses: { 200: { content: { 'text/plain': { schema: text } } } } } },
    '/broken': { get: { responses: { 200: file, 500: failure } } },
    '/missing': { get: { responses: { 200: file } } },
  },
  components: {
    schemas: {
      File: {
        type: 'object',
        required: ['id', 'name', 'size'],
        properties: { id: text, name: text, size: { type: 'integer' }, md5: text, owner: { type: ['string', 'null'] } },
        additionalProperties: false,
      },
      Draft: {
        type: 'object',
        required: ['name'],
        properties: { name: text, parent: { type: 'object', properties: { id: text } }, labels: { type: 'object' } },
      },
    },
  },
};

const mara = { id: 'u1', email: 'mara@example.org', name: 'Mara' };
const noor = { id: 'u2', email: 'noor@example.org', name: 'Noor <&>' };
export const client = { id: 'sheaf', secret: 's3cret/+', title: 'Sheaf', redirectUris: ['http://127.0.0.1:1/back?kept=1'] };

const statuses: Readonly<Record<Problem['kind'], number>> = {
  badRequest: 400,
  unknownOperation: 404,
  notSimulated: 501,
  unauthorized: 401,
  forbidden: 403,
  rateLimited: 429,
  broken: 500,
};

/** Starts the example. `answerOfBroken` is the response of `GET /broken`. */
export async function startExample(answerOfBroken: unknown = {}, oauthOptions: Partial<OAuthOptions> = {}) {
  const contents = createContents({ hashes: { md5: nodeHash('md5') } });
  const files = new Map([['1', { id: '1', name: 'a.txt', content: contents.of('0123456789') }]]);
  const uploads = new Map<string, ReturnType<typeof contents.writer>>();
  const oauth = createOAuth({
    provider: 'Example',
    client,
    accounts: [mara, noor],
    scopes: ['read', 'write'],
    pkce: 'required',
    clientAuth: ['body', 'basic'],
    rotation: 'singleUse',
    ...oauthOptions,
  });
  const find = (wanted: string | undefined) => {
    const found = files.get(wanted ?? '');
    if (!found) throw refuse({ status: 404, json: { error: 'not_found' } });
    return found;
  };
  const show = ({ content, ...rest }: ReturnType<typeof find>) => ({ ...rest, size: content.size, md5: content.hashes.md5, beyond: 1 });
  const simulator = await startSimulator({
    name: 'example',
    authenticate: oauth.authenticate,
    refusal: (problem) => ({ status: statuses[problem.kind], json: { error: 'why' in problem ? problem.why : problem.kind } }),
    mounts: [
      oauth.mount({ at: '/auth', authorize: '/{tenant}/authorize', token: '/token', revoke: '/revoke', extra: { prompt: ['consent'] } }),
      {
        at: '/api',
        description,
        scopes: { '*': ['read', 'write'], 'DELETE /files/{id}': ['write'] },
        open: ['GET /raw/{path}'],
        deep: ['path'],
        rewrite: (path) => path.replace(/^\/files\/root:\/(.+):\/content$/, '/files/path=$1/content'),
        alsoQuery: ['quotaUser'],
        routes: {
          'GET /files': () => ({ json: [...files.values()].map(show) }),
          'POST /files': async ({ query, json, form, file: sent, stream }) => {
            const draft = json<{ readonly name: string } | undefined>();
            const attributes = form.get('attributes');
            const named = attributes === null ? draft?.name : (JSON.parse(attributes) as { readonly name: string }).name;
            const next = { id: String(files.size + 1), name: query.get('name') ?? named ?? '' };
            const content = sent || !draft ? await contents.receive(sent?.stream ?? stream) : contents.of('');
            files.set(next.id, { ...next, content });
            return { status: 201, json: show({ ...next, content }) };
          },
          'GET /files/recent': () => ({ json: show(find('1')) }),
          'GET /files/{id}': ({ params }) => ({ json: show(find(params['id'])) }),
          'DELETE /files/{id}': ({ params }) => {
            files.delete(find(params['id']).id);
            return { status: 204 };
          },
          'PUT /files/{id}': ({ params, json }) => ({ json: { ...show(find(params['file_id'])), ...json<object>() } }),
          'GET /files/{id}/content': (request) => answerContent(request, find(request.params['id']).content, { etag: '"e1"' }),
          'HEAD /files/{id}/content': (request) => answerContent(request, find(request.params['id']).content, { etag: '"e1"' }),
          'PUT /files/{id}/content': async ({ params, headers, stream }) => {
            const name = params['id'] ?? '';
            const range = readContentRange(headers['content-range']);
            const writer = uploads.get(name) ?? contents.writer();
            uploads.set(name, writer);
            await writer.write(stream);
            if (range?.end !== range?.size) return { status: 308, headers: { range: `bytes=0-${writer.size - 1}` } };
            uploads.delete(name);
            const content = writer.finish();
            files.set(name, { id: name, name, content });
            return { json: show(find(name)) };
          },
          'GET /raw/{path}': ({ params }) => ({ text: params['path'] ?? '' }),
          'GET /broken': () => ({ json: answerOfBroken }),
        },
      },
    ],
  });
  return {
    ...simulator,
    simulator,
    oauth,
    contents,
    files,
    bearer: () => ({ authorization: `Bearer ${oauth.grant(mara.email).accessToken}` }),
  };
}
