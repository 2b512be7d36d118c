import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import { lendLike } from '../../kit/body/body-memory.ts';
import { type BodyReader, createBodyReader } from '../../kit/body/body-reader.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { retryWhileBusy, uploadWait } from '../../kit/concurrency/retry-busy.ts';
import { type Space, Upload } from './api.ts';
import { type ProcoreClient, spaceUrl } from './client.ts';

const MiB = 1024 * 1024;

export interface UploadSizes {
  /** Bytes of a segment; at least 5 MB, except for the last. */
  readonly segment: number;
  /** Maximum bytes of a body that is held in memory: Procore needs the hash of every segment before the first is sent. */
  readonly held: number;
}
export const uploadSizes: UploadSizes = { segment: 8 * MiB, held: 24 * MiB };
/** Maximum size of a body in a single request. */
export const longestUpload = 5 * 1024 * MiB;
/** Concurrent segments. */
const width = 3;

/** An upload and its destination. */
export interface NewFile {
  readonly space: Space;
  readonly name: string;
}

/**
 * Stores a body as an upload that no file references yet; returns its id. What fits in memory is sent in segments whose hashes the storage
 * verifies; a longer body of known length is sent in one request, verified by its length. Procore deletes unused uploads.
 * https://developers.procore.com/documentation/tutorial-uploads
 */
export async function uploadBody(
  client: ProcoreClient,
  file: NewFile,
  body: Readable,
  { size, signal, mimeType }: WriteOptions,
  sizes = uploadSizes,
): Promise<{ readonly uuid: string; readonly size: number }> {
  const reader = createBodyReader(body, signal);
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType ?? '') ? (mimeType ?? '') : 'application/octet-stream';
  if (size !== undefined && size > sizes.held) return whole(client, file, reader, { size, type, signal }, body);
  const bytes = await reader.take(sizes.held + 1);
  if (bytes.byteLength > sizes.held && size === undefined)
    throw new ConnectorError('unsupported', 'a long body goes to Procore only when its length is known');
  if (size !== undefined && bytes.byteLength !== size) throw new ConnectorError('sizeDiffers', `${bytes.byteLength} of ${size} bytes came`);
  if (bytes.byteLength > 0) return segmented(client, file, bytes, type, signal, sizes);
  return whole(client, file, reader, { size: 0, type, signal }, body);
}

const create = (client: ProcoreClient, { space, name }: NewFile, type: string, more: object, signal: AbortSignal): Promise<Upload> => {
  const json = { response_filename: name, response_content_type: type, ...more };
  return client.json(Upload, space.company, { method: 'POST', url: `${spaceUrl(space, 'v1.1')}/uploads`, json, signal });
};

async function segmented(
  client: ProcoreClient,
  file: NewFile,
  bytes: Uint8Array,
  type: string,
  signal: AbortSignal,
  { segment }: UploadSizes,
) {
  const pieces = Array.from({ length: Math.ceil(bytes.byteLength / segment) }, (_, at) => {
    const piece = bytes.subarray(at * segment, (at + 1) * segment);
    const facts = { size: piece.byteLength, sha256: createHash('sha256').update(piece).digest('hex') };
    return { at, bytes: piece, facts };
  });
  const created = await retryWhileBusy(
    signal,
    () => create(client, file, type, { segments: pieces.map(({ facts }) => facts) }, signal),
    always,
  );
  const places = created.segments ?? [];
  if (places.length !== pieces.length) throw new ConnectorError('unexpected', 'Procore has another number of segments');
  const etags: string[] = [];
  await inParallel(pieces, width, async (piece) => {
    const place = places[piece.at];
    const send = async (): Promise<void> => {
      const response = await client.storage.send({
        method: 'PUT',
        url: place?.url ?? '',
        headers: { 'content-type': 'application/octet-stream', ...lowered(place?.headers ?? {}) },
        body: piece.bytes,
        signal,
        authorized: false,
      });
      await response.discard();
      etags[piece.at] = (response.headers['etag'] ?? '').replaceAll('"', '');
    };
    await retryWhileBusy(signal, send, always, uploadWait);
  });
  const segments = pieces.map(({ at, facts }) => ({ ...facts, etag: etags[at] }));
  const url = `${spaceUrl(file.space, 'v1.1')}/uploads/${encodeURIComponent(created.uuid)}`;
  const finish = () =>
    client.done(file.space.company, { method: 'PATCH', url, json: { segments }, signal, headTimeout: deadlines.longWork });
  await retryWhileBusy(signal, finish, always, uploadWait);
  return { uuid: created.uuid, size: bytes.byteLength };
}

interface Piece {
  readonly size: number;
  readonly type: string;
  readonly signal: AbortSignal;
}

/** Sends a form of Procore's fields followed by the streamed bytes. */
async function whole(client: ProcoreClient, file: NewFile, reader: BodyReader, { size, type, signal }: Piece, body: Readable) {
  if (size > longestUpload) throw new ConnectorError('full', 'Procore takes no file above 5 GiB from a stream');
  const { uuid, url, fields } = await retryWhileBusy(signal, () => create(client, file, type, { size }, signal), always);
  if (!url) throw new ConnectorError('unexpected', 'Procore tells no place for the bytes');
  const boundary = randomUUID();
  const field = ([name, value]: readonly [string, string]): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${Object.entries(fields ?? {})
      .map(field)
      .join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file"\r\ncontent-type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

  async function* form(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* reader.stream(size) as AsyncIterable<Uint8Array>;
    if ((await reader.take(1)).byteLength > 0) throw new ConnectorError('sizeDiffers', `more than ${size} bytes came`);
    yield tail;
  }
  const response = await client.storage.send({
    method: 'POST',
    url,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: lendLike(Readable.from(form(), { objectMode: false }), body),
    size: head.byteLength + size + tail.byteLength,
    signal,
    authorized: false,
  });
  await response.discard();
  return { uuid, size };
}

/** Returns the storage's headers without the length, which the HTTP client adds. */
const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name !== 'content-length' && name !== 'host'),
  );
const always = (): boolean => true;
