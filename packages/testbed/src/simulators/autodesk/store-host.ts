import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Description, type Handler, type Mount, type SimulatedRequest, answerContent, refuse } from '../kit/index.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

const text = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const xml = { 'application/xml': { schema: text } };
const parameters = [
  ...['bucket', 'key'].map((name) => ({ name, in: 'path', required: true, schema: text })),
  ...['X-Amz-Signature', 'X-Amz-Expires'].map((name) => ({ name, in: 'query', required: true, schema: text })),
  ...['partNumber', 'uploadId'].map((name) => ({ name, in: 'query', schema: text })),
];
const failures = { 400: { content: xml }, 403: { content: xml }, 404: { content: xml }, 416: { content: xml } };

/** Amazon's object store behind signed URLs: https://docs.aws.amazon.com/AmazonS3/latest/API/ (GetObject, UploadPart). */
const description: Description = {
  paths: {
    '/{bucket}/{key}': {
      get: { parameters, responses: { 200: { content: { '*/*': { schema: binary } } }, ...failures } },
      put: {
        parameters,
        requestBody: { content: { 'application/octet-stream': { schema: binary } } },
        responses: { 200: {}, ...failures },
      },
    },
  },
};

const no = (status: number, code: string): Error =>
  refuse({
    status,
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`,
    headers: { 'content-type': 'application/xml' },
  });

interface Options {
  readonly state: State;
  readonly store: Store;
  readonly now: () => number;
  /** Called per part: whether its bytes are to be stored damaged. */
  readonly damages: () => boolean;
}

/** The host of signed URLs. Like Amazon, refuses requests that also carry a token. */
export function createStoreHost({ state, store, now, damages }: Options): Mount {
  function permitted({ query, headers }: SimulatedRequest) {
    if (headers.authorization !== undefined) throw no(400, 'InvalidArgument');
    const known = store.signed.get(query.get('X-Amz-Signature') ?? '');
    if (!known || known.until <= now()) throw no(403, 'AccessDenied');
    return known.what;
  }

  const get: Handler = (request) => {
    const what = permitted(request);
    if (!('object' in what)) throw no(403, 'SignatureDoesNotMatch');
    if (!what.object.content) throw no(404, 'NoSuchKey');
    return answerContent(request, what.object.content, { etag: `"${what.object.content.hashes.sha1.slice(0, 32)}"` });
  };

  const put: Handler = async (request) => {
    const what = permitted(request);
    if (!('upload' in what)) throw no(403, 'SignatureDoesNotMatch');
    if (request.headers['transfer-encoding'] !== undefined) throw no(400, 'MissingContentLength');
    if (!store.uploads.has(what.upload.key)) throw no(404, 'NoSuchUpload');
    const content = await state.parts.receive(damages() ? damaged(request.stream) : request.stream);
    const etag = `"${randomBytes(16).toString('hex')}"`;
    what.upload.parts.set(what.part, { content, etag });
    return { headers: { etag } };
  };

  return {
    at: '/s3',
    description,
    open: 'all',
    alsoStatuses: { 429: null, 500: null, 503: null },
    routes: { 'GET /{bucket}/{key}': get, 'PUT /{bucket}/{key}': put },
  };
}

/** Replaces the bytes, keeping their number. */
function damaged(stream: Readable): Readable {
  return Readable.from(
    (async function* () {
      for await (const chunk of stream as AsyncIterable<Buffer>) yield Buffer.alloc(chunk.length, 0x21);
    })(),
    { objectMode: false },
  );
}
