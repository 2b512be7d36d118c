import { Readable } from 'node:stream';
import { readWhole } from '@sheaf/connectors';
import { appError, limits, listUploads, tus } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { discardRest, uploadBody } from '#/files/bodies/upload-body.ts';
import { type StreamContext, serve, serveStream } from '#/platform/http/serve.ts';
import { bytesOf, checksumOf, headerOf, metadataOf } from './headers.ts';
import type { UploadState, Uploads } from './service.ts';

/** The bytes of a request do not match its checksum (tus 1.0, checksum). */
const checksumMismatch = 460;
const unsupportedMediaType = 415;
const preconditionFailed = 412;
/** ms in which a body with a checksum has to arrive: enough for 8 MiB by a slow line. */
const checkedWithin = 300_000;

/** Routes of the tus protocol 1.0 and of `contract/uploads.ts`. https://tus.io/protocols/resumable-upload */
export function uploadRoutes(app: FastifyInstance, uploads: Uploads): void {
  const one = `${tus.path}/:uploadId`;
  serve(app, listUploads, async ({ userId }) => ({ uploads: await uploads.unfinished(userId) }));

  for (const url of [tus.path, one])
    app.options(url, async (_request, reply) =>
      reply
        .headers({
          'tus-resumable': tus.version,
          'tus-version': tus.version,
          'tus-extension': tus.extensions.join(','),
          'tus-checksum-algorithm': tus.checksums.join(','),
        })
        .code(204)
        .send(),
    );

  serveStream(app, { method: 'POST', url: tus.path }, (context) =>
    spoken(context, async ({ userId, request, reply, signal }) => {
      const metadata = headerOf(request.headers, 'upload-metadata') ?? '';
      const size = bytesOf(request.headers, 'upload-length');
      const state = await uploads.create(userId, { ...metadataOf(metadata), size, metadata }, signal);
      return tell(reply, state).header('location', `${tus.path}/${state.uploadId}`).code(201).send();
    }),
  );

  const head = async ({ userId, request, reply, signal }: StreamContext): Promise<FastifyReply> => {
    const state = await uploads.state(userId, idOf(request), signal);
    return tell(reply, state).header('upload-length', state.size).header('upload-metadata', state.metadata).code(200).send();
  };
  const patch = async (context: StreamContext): Promise<FastifyReply> => {
    const { userId, request, reply, signal } = context;
    if (request.headers['content-type'] !== tus.bodyType) return refuse(context, unsupportedMediaType);
    const offset = bytesOf(request.headers, 'upload-offset');
    const checksum = headerOf(request.headers, 'upload-checksum');
    const body = uploadBody(request.raw);
    const append = (bytes: Readable): Promise<UploadState> => uploads.append(userId, idOf(request), offset, bytes, signal);
    const appendChecked = async (sum: string): Promise<UploadState | undefined> => {
      const checked = await checkedBody(body, sum);
      return checked && append(checked);
    };
    const state =
      checksum === undefined ? await append(body) : await uploads.holding(userId, idOf(request), signal, () => appendChecked(checksum));
    return state === undefined ? refuse(context, checksumMismatch) : tell(reply, state).code(204).send();
  };
  const remove = async ({ userId, request, reply, signal }: StreamContext): Promise<FastifyReply> => {
    await uploads.remove(userId, idOf(request), signal);
    return reply.code(204).send();
  };

  serveStream(app, { method: 'HEAD', url: one }, (context) => spoken(context, head));
  serveStream(app, { method: 'PATCH', url: one }, (context) => spoken(context, patch));
  serveStream(app, { method: 'DELETE', url: one }, (context) => spoken(context, remove));
  // For clients that cannot send the other methods.
  serveStream(app, { method: 'POST', url: one }, (context) => {
    const method = headerOf(context.request.headers, 'x-http-method-override');
    const handler = method === 'PATCH' ? patch : method === 'DELETE' ? remove : undefined;
    if (!handler) throw appError('METHOD_NOT_ALLOWED', {});
    return spoken(context, handler);
  });
}

const idOf = ({ params }: StreamContext['request']): string => (params as { uploadId: string }).uploadId;

/** Checks the version of the protocol, and reads the rest of a refused body for a while, so that the client sees the refusal. */
async function spoken(context: StreamContext, handler: (context: StreamContext) => Promise<FastifyReply>): Promise<FastifyReply> {
  const { request, reply } = context;
  reply.header('tus-resumable', tus.version);
  try {
    if (headerOf(request.headers, 'tus-resumable') === tus.version) return await handler(context);
    return await refuse(context, preconditionFailed, { 'tus-version': tus.version });
  } catch (error) {
    discardRest(request.raw, reply);
    throw error;
  }
}

/** Answers with a status of the protocol that is no error of the catalogue. */
function refuse({ request, reply }: StreamContext, status: number, headers: Readonly<Record<string, string>> = {}): FastifyReply {
  discardRest(request.raw, reply);
  return reply.headers(headers).code(status).send();
}

function tell(reply: FastifyReply, { position, expiresAt, partSize }: UploadState): FastifyReply {
  reply.header('upload-offset', position).header('upload-expires', new Date(expiresAt).toUTCString());
  return partSize === undefined ? reply : reply.header(tus.partSizeHeader, partSize);
}

/**
 * The body once its checksum is right, so that no wrong byte reaches the storage; undefined when it is wrong. Throws BODY_TOO_LARGE, and TRANSFER_STATE when
 * it does not arrive in time, as it holds memory meanwhile.
 */
async function checkedBody(body: Readable, header: string): Promise<Readable | undefined> {
  const checksum = checksumOf(header);
  const late = setTimeout(() => body.destroy(appError('TRANSFER_STATE', {})), checkedWithin);
  try {
    const whole = await readWhole(body, limits.checkedUploadBytes, () => appError('BODY_TOO_LARGE', {}));
    return checksum.matches(whole) ? Readable.from([whole], { objectMode: false }) : undefined;
  } finally {
    clearTimeout(late);
  }
}
