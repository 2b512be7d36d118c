import { Readable } from 'node:stream';
import { readWhole } from '@sheaf/connectors';
import { appError, limits, tus } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { discardRest, uploadBody } from '#/files/bodies/upload-body.ts';
import { type StreamContext, serveStream } from '#/platform/http/serve.ts';
import { type UploadMetadata, bytesOf, checksumOf, headerOf, metadataOf } from './headers.ts';
import type { UploadState, Uploads } from './service.ts';
import type { Uploader } from './uploader.ts';

/** The bytes of a request do not match its checksum (tus 1.0, checksum). */
const checksumMismatch = 460;
const unsupportedMediaType = 415;
const preconditionFailed = 412;
/** ms in which a body with a checksum has to arrive: enough for 8 MiB by a slow line. */
const checkedWithin = 300_000;

/** Where a part of the program speaks the protocol, and for whom. */
interface Speaking<Rule extends 'required' | 'none'> {
  /** The router's address of all uploads. */
  readonly url: string;
  readonly session: Rule;
  /** The same address for one request. */
  readonly addressOf: (request: FastifyRequest) => string;
  /** Runs a request for whom it is. */
  readonly within: (
    context: StreamContext<Rule>,
    work: (by: Uploader, signal: AbortSignal) => Promise<FastifyReply>,
  ) => Promise<FastifyReply>;
  /** Called before an upload begins; a rejection refuses it. */
  readonly begins?: (context: StreamContext, file: NewFile) => Promise<void>;
  /** Called when a file is stored. */
  readonly stored?: (context: StreamContext) => Promise<void>;
}
type NewFile = UploadMetadata & { readonly size: number };

/** Routes of the tus protocol 1.0. https://tus.io/protocols/resumable-upload */
export function tusRoutes<Rule extends 'required' | 'none'>(
  app: FastifyInstance,
  uploads: Pick<Uploads, 'create' | 'state' | 'append' | 'holding' | 'remove'>,
  { url: all, session, addressOf, within, begins, stored }: Speaking<Rule>,
): void {
  const one = `${all}/:uploadId`;
  for (const url of [all, one])
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

  const create: Handler = async (context, by, signal) => {
    const { request, reply } = context;
    const metadata = headerOf(request.headers, 'upload-metadata') ?? '';
    const size = bytesOf(request.headers, 'upload-length');
    const file = { ...metadataOf(metadata, by.share?.parentLinkUri), size };
    await begins?.(context, file);
    const state = await uploads.create(by, { ...file, metadata }, signal);
    if (size === 0) await stored?.(context);
    return tell(reply, state)
      .header('location', `${addressOf(request)}/${state.uploadId}`)
      .code(201)
      .send();
  };
  const head: Handler = async ({ request, reply }, by, signal) => {
    const state = await uploads.state(by, idOf(request), signal);
    return tell(reply, state).header('upload-length', state.size).header('upload-metadata', state.metadata).code(200).send();
  };
  const patch: Handler = async (context, by, signal) => {
    const { request, reply } = context;
    if (request.headers['content-type'] !== tus.bodyType) return refuse(context, unsupportedMediaType);
    const offset = bytesOf(request.headers, 'upload-offset');
    const checksum = headerOf(request.headers, 'upload-checksum');
    const body = uploadBody(request.raw);
    const append = (bytes: Readable): Promise<UploadState> => uploads.append(by, idOf(request), offset, bytes, signal);
    const appendChecked = async (sum: string): Promise<UploadState | undefined> => {
      const checked = await checkedBody(body, sum);
      return checked && append(checked);
    };
    const state =
      checksum === undefined ? await append(body) : await uploads.holding(by, idOf(request), signal, () => appendChecked(checksum));
    if (state && state.position === state.size) await stored?.(context);
    return state === undefined ? refuse(context, checksumMismatch) : tell(reply, state).code(204).send();
  };
  const remove: Handler = async ({ request, reply }, by, signal) => {
    await uploads.remove(by, idOf(request), signal);
    return reply.code(204).send();
  };

  const answer = (method: 'HEAD' | 'POST' | 'PATCH' | 'DELETE', url: string, handlerOf: (context: StreamContext) => Handler): void =>
    serveStream(app, { method, url, session }, (context) =>
      spoken(context, () => within(context, (by, signal) => handlerOf(context)(context, by, signal))),
    );
  answer('POST', all, () => create);
  answer('HEAD', one, () => head);
  answer('PATCH', one, () => patch);
  answer('DELETE', one, () => remove);
  // For clients that cannot send the other methods.
  answer('POST', one, ({ request }) => {
    const method = headerOf(request.headers, 'x-http-method-override');
    if (method === 'PATCH') return patch;
    if (method === 'DELETE') return remove;
    throw appError('METHOD_NOT_ALLOWED', {});
  });
}

/** Answers a request of the protocol. */
type Handler = (context: StreamContext, by: Uploader, signal: AbortSignal) => Promise<FastifyReply>;

const idOf = ({ params }: StreamContext['request']): string => (params as { uploadId: string }).uploadId;

/** Checks the version of the protocol, and reads the rest of a refused body for a while, so that the client sees the refusal. */
async function spoken(context: StreamContext, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  const { request, reply } = context;
  reply.header('tus-resumable', tus.version);
  try {
    if (headerOf(request.headers, 'tus-resumable') === tus.version) return await work();
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

function tell(reply: FastifyReply, { position, expiresAt, partSize, undoId }: UploadState): FastifyReply {
  reply.header('upload-offset', position).header('upload-expires', new Date(expiresAt).toUTCString());
  if (undoId !== undefined) reply.header(tus.undoIdHeader, undoId);
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
