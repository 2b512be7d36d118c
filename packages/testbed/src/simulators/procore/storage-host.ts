import { createHash, randomUUID } from 'node:crypto';
import { Transform } from 'node:stream';
import { type Description, type Handler, type Mount, type SimulatedRequest, answerContent, refuse } from '../kit/index.ts';
import type { Sign } from './replies.ts';
import type { State, Version } from './state.ts';
import type { Segment, Upload, Uploads } from './uploads.ts';

const text = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const xml = { 'application/xml': { schema: text } };
const inPath = (...names: readonly string[]) => names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const failures = { 400: { content: xml }, 403: { content: xml }, 404: { content: xml }, 411: { content: xml }, 416: { content: xml } };
const fields = ['key', 'Content-Type', 'policy', 'x-amz-credential', 'x-amz-algorithm', 'x-amz-date', 'x-amz-signature'];

/** Amazon's storage behind Procore's URLs: https://docs.aws.amazon.com/AmazonS3/latest/API/ (PutObject, POST Object, GetObject). */
const description: Description = {
  paths: {
    '/segments/{uuid}/{number}': {
      put: {
        parameters: [...inPath('uuid', 'number'), { name: 'x-amz-content-sha256', in: 'header', required: true, schema: text }],
        requestBody: { required: true, content: { 'application/octet-stream': { schema: binary } } },
        responses: { 200: {}, ...failures },
      },
    },
    '/bucket': {
      post: {
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: [...fields, 'file'],
                properties: Object.fromEntries([...fields.map((name) => [name, text]), ['file', binary]]),
              },
            },
          },
        },
        responses: { 204: {}, ...failures },
      },
    },
    '/files/{signature}': { get: { parameters: inPath('signature'), responses: { 302: {}, ...failures } } },
    '/objects/{signature}': {
      get: { parameters: inPath('signature'), responses: { 200: { content: { '*/*': { schema: binary } } }, ...failures } },
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
  readonly uploads: Uploads;
  readonly now: () => number;
}

/** The host of Procore's signed URLs. Like Amazon, refuses requests that also carry a token. */
export function createStorageHost({ state, uploads, now }: Options): {
  readonly mount: Mount;
  readonly signFor: (request: SimulatedRequest) => Sign;
} {
  const signed = new Map<string, { readonly version: Version; readonly until: number }>();

  const signFor =
    ({ url }: SimulatedRequest): Sign =>
    (version) => {
      const signature = randomUUID();
      signed.set(signature, { version, until: now() + 10 * 60_000 });
      return url(`/storage/files/${signature}`);
    };

  function permitted({ params, headers }: SimulatedRequest): Version {
    if (headers.authorization !== undefined) throw no(400, 'InvalidArgument');
    const known = signed.get(params['signature'] ?? '');
    if (!known || known.until <= now()) throw no(403, 'AccessDenied');
    return known.version;
  }

  function uploadOf({ headers }: SimulatedRequest, uuid: string | undefined): Upload {
    if (headers.authorization !== undefined) throw no(400, 'InvalidArgument');
    const upload = uploads.uploads.get(uuid ?? '');
    if (!upload || upload.until <= now()) throw no(403, 'AccessDenied');
    return upload;
  }

  const segment: Handler = async (request) => {
    const { params, headers, stream } = request;
    const upload = uploadOf(request, params['uuid']);
    const place: Segment | undefined = upload.segments?.[Number(params['number']) - 1];
    if (!place || headers['x-amz-content-sha256'] !== place.sha256) throw no(403, 'SignatureDoesNotMatch');
    if (headers['content-length'] !== String(place.size)) throw no(403, 'SignatureDoesNotMatch');
    const [sha256, md5] = [createHash('sha256'), createHash('md5')];
    const through = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sha256.update(chunk);
        md5.update(chunk);
        done(null, chunk);
      },
    });
    stream.on('error', (error) => through.destroy(error));
    const content = await state.contents.receive(stream.pipe(through));
    if (sha256.digest('hex') !== place.sha256) throw no(400, 'XAmzContentSHA256Mismatch');
    place.content = content;
    place.tag = md5.digest('hex');
    return { headers: { etag: `"${place.tag}"` } };
  };

  const form: Handler = async (request) => {
    const { form: sent, file, headers } = request;
    if (headers['content-length'] === undefined) throw no(411, 'MissingContentLength');
    const upload = uploadOf(request, sent.get('key')?.split('/').at(-1));
    if (sent.get('x-amz-signature') !== upload.uuid.replaceAll('-', '') || upload.segments || !file) throw no(403, 'AccessDenied');
    const content = await state.contents.receive(file.stream);
    if (upload.size !== undefined && content.size !== upload.size) throw no(400, 'EntityTooLarge');
    upload.content = content;
    return { status: 204, headers: { etag: `"${upload.uuid.replaceAll('-', '')}"` } };
  };

  return {
    signFor,
    mount: {
      at: '/storage',
      description,
      open: 'all',
      alsoStatuses: { 429: null, 500: null, 503: null },
      routes: {
        'PUT /segments/{uuid}/{number}': segment,
        'POST /bucket': form,
        // Procore's own URL redirects to the storage.
        'GET /files/{signature}': (request) => {
          permitted(request);
          return { redirect: request.url(`/storage/objects/${request.params['signature'] ?? ''}`) };
        },
        'GET /objects/{signature}': (request) => answerContent(request, permitted(request).content),
      },
    },
  };
}
