import type { Identity, RejectedToken } from '../kit/identity.ts';
import { type Description, type Handler, type Mount, type SimulatedRequest, answerContent, refuse } from '../kit/index.ts';
import { drawPicture } from '../picture.ts';
import type { State, StoredFile } from './state.ts';

const text = { type: 'string' };
const binary = { schema: { type: 'string', format: 'binary' } };
const inPath = (...names: readonly string[]) => names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const anything = { content: { '*/*': binary } };

/** files.slack.com and the sign-in page: not documented, but observable with any download. */
const description: Description = {
  paths: {
    '/upload/v1/{id}': {
      post: {
        parameters: inPath('id'),
        requestBody: { required: true, content: { 'application/octet-stream': binary } },
        responses: { 200: { content: { 'text/plain': { schema: text } } }, 400: { content: { 'text/plain': { schema: text } } } },
      },
    },
    '/files-pri/{id}/download/{name}': {
      get: { parameters: inPath('id', 'name'), responses: { 200: anything, 302: {}, 404: {}, 416: {} } },
    },
    '/files-tmb/{id}/{size}': { get: { parameters: inPath('id', 'size'), responses: { 200: anything, 302: {}, 404: {} } } },
    '/signin': { get: { responses: { 200: { content: { 'text/html': { schema: text } } } } } },
  },
};

export const filesHost = '/files-host';
/** Maximum side of generated pictures: larger ones would only cost time. */
const drawn = 96;

interface Options {
  readonly state: State;
  readonly authenticate: (token: string | undefined) => Identity | RejectedToken;
  /** Whether range requests are supported. */
  readonly ranges: () => boolean;
  /** Bytes of each upload to lose. */
  readonly lost: () => number;
}

/** Uploads and downloads. Without a token that may read, responds with a sign-in page. */
export function createFilesHost({ state, authenticate, ranges, lost }: Options): Mount {
  function find({ headers, params, url }: SimulatedRequest): StoredFile {
    const identity = authenticate(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]);
    if (typeof identity === 'string' || !identity.scopes.includes('files:read')) throw refuse({ redirect: url(`${filesHost}/signin`) });
    const file = state.files.get(params['id'] ?? '');
    if (!file?.content) throw refuse({ status: 404 });
    if (!state.mayRead(file, identity.account.id)) throw refuse({ redirect: url(`${filesHost}/signin`) });
    return file;
  }

  const download: Handler = (request) => {
    const { content, mimetype, name } = find(request);
    if (!content) throw refuse({ status: 404 });
    const headers = { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` };
    if (ranges()) return answerContent(request, content, { type: mimetype, headers });
    return { headers: { ...headers, 'content-type': mimetype }, stream: content.open(), size: content.size };
  };

  const upload: Handler = async ({ params, stream }) => {
    const place = state.uploads.get(params['id'] ?? '');
    if (!place) throw refuse({ status: 400, text: 'no such upload' });
    const content = await state.contents.receive(stream);
    if (content.size !== place.length) throw refuse({ status: 400, text: 'another length' });
    place.content = content;
    return { text: `OK - ${content.size - lost()}` };
  };

  return {
    at: filesHost,
    description,
    open: 'all',
    alsoStatuses: { 400: null, 429: null, 500: null },
    routes: {
      'POST /upload/v1/{id}': upload,
      'GET /files-pri/{id}/download/{name}': download,
      'GET /files-tmb/{id}/{size}': (request) => {
        find(request);
        const side = Math.min(drawn, Number(request.params['size']));
        return { headers: { 'content-type': 'image/png' }, bytes: drawPicture(side, side, [240, 101, 149], [52, 58, 64]) };
      },
      'GET /signin': () => ({
        headers: { 'content-type': 'text/html; charset=utf-8' },
        text: '<!doctype html><title>Sign in | Slack</title>',
      }),
    },
  };
}
