import type { Readable } from 'node:stream';
import type { WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type BodyReader, createBodyReader } from '../../kit/body/body-reader.ts';
import { type Chunks, lengthOf } from '../../kit/body/chunks.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { retryWhileBusy, uploadWait } from '../../kit/concurrency/retry-busy.ts';
import { type RunningHash, assertSame, bodyHash, withHash } from '../../kit/hash/content-hash.ts';
import type { ThreadHash } from '../../kit/hash/hash-thread.ts';
import { NewObject, ObjectDetails, type StoredObject, UploadAddresses, objectOf } from './api.ts';
import { type AutodeskClient, documentType, objectUrl, projectUrl } from './client.ts';

const MiB = 1024 * 1024;

/** Part sizes of an upload: each part is held in memory while it is sent, so that it can be retried. */
export interface PartSizes {
  /** Bytes of a part; at least 5 MiB, except for the last. */
  readonly part: number;
  /** Maximum number of parts of an object; longer bodies use larger parts. */
  readonly mostParts: number;
}
export const partSizes: PartSizes = { part: 8 * MiB, mostParts: 9_000 };
/** For a body of unknown length, parts after this many are four times as large, to stay below the maximum number of parts. */
const growAfter = 1_000;
/** Concurrent parts. */
const width = 3;
/** Minutes for which a signed URL is valid: each is requested right before its part is sent. */
const addressServes = 30;

/** Creates an address for new bytes in the storage of the folder's project. */
export async function createStorage(
  { api }: AutodeskClient,
  project: string,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<{ readonly urn: string; readonly object: StoredObject }> {
  const data = {
    type: 'objects',
    attributes: { name },
    relationships: { target: { data: { type: 'folders', id: folder } } },
  };
  const url = `${projectUrl(project)}/storage`;
  const json = { jsonapi: { version: '1.0' }, data };
  const urn = (await api.json(NewObject, { method: 'POST', url, json, headers: documentType, signal })).data.id;
  const object = objectOf(urn);
  if (!object) throw new ConnectorError('unexpected', 'the place for the bytes has an unknown address');
  return { urn, object };
}

/**
 * Uploads a body in parts as an object that no file references yet, and compares hashes. Autodesk discards incomplete and damaged uploads.
 * Returns the size.
 * https://aps.autodesk.com/en/docs/data/v2/tutorials/upload-file/
 */
export const uploadObject = (
  client: AutodeskClient,
  object: StoredObject,
  body: Readable,
  ask: Pick<WriteOptions, 'size' | 'signal'>,
  sizes = partSizes,
): Promise<number> => withHash(bodyHash('sha1')(ask.size), (hash) => uploadHashed(client, object, body, ask, sizes, hash));

async function uploadHashed(
  { api, store }: AutodeskClient,
  object: StoredObject,
  body: Readable,
  { size, signal }: Pick<WriteOptions, 'size' | 'signal'>,
  sizes: PartSizes,
  hash: RunningHash | ThreadHash,
): Promise<number> {
  const url = `${objectUrl(object)}/signeds3upload`;
  const reader = createBodyReader(body, signal);
  const etags: string[] = [];
  let sent = 0;
  let uploadKey: string | undefined;

  async function addressOf(number: number): Promise<string> {
    const query = { parts: 1, firstPart: number, uploadKey, minutesExpiration: addressServes };
    const told = await api.json(UploadAddresses, { method: 'GET', url, query, signal });
    uploadKey ??= told.uploadKey;
    return told.urls[0] ?? '';
  }

  /** Requests a new URL for each attempt: the previous one may have expired. */
  async function send({ number, bytes }: Part): Promise<void> {
    const address = await addressOf(number);
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await store.send({ method: 'PUT', url: address, body: bytes, headers, signal, authorized: false });
    await response.discard();
    etags[number - 1] = response.headers['etag'] ?? '';
    reader.release(bytes);
  }

  async function* parts(): AsyncGenerator<Part> {
    for await (const part of cut(reader, size, sizes, (chunk) => hash.update(chunk))) {
      sent += part.size;
      yield part;
    }
  }

  const deliver = (part: Part): Promise<void> => retryWhileBusy(signal, () => send(part), always, uploadWait).catch(sessionLost);
  const all = parts();
  // The first URL comes with the upload key that the others need.
  const first = await all.next();
  if (!first.done) await deliver(first.value);
  await inParallel(all, width, deliver);
  const json = { uploadKey, size: sent, ...(etags.every((etag) => etag !== '') && { eTags: etags }) };
  const complete = () => api.json(ObjectDetails, { method: 'POST', url, json, signal, headTimeout: deadlines.longWork });
  // When the response was lost, asks the store for the object.
  const lookUp = (error: unknown) => {
    if (!isLost(error)) throw error;
    return api.json(ObjectDetails, { method: 'GET', url: `${objectUrl(object)}/signeds3download`, signal });
  };
  const stored = await retryWhileBusy(signal, complete, undefined, uploadWait).catch(lookUp).catch(sessionLost);
  assertSame(await hash.digest(), isHex(stored.sha1) ? stored.sha1 : undefined);
  if (stored.size !== undefined && stored.size !== sent) throw new ConnectorError('damaged', 'the store has another number of bytes');
  return sent;
}

interface Part {
  /** Starts at 1. */
  readonly number: number;
  readonly bytes: Chunks;
  readonly size: number;
}

/** Splits the body into parts; an empty body has one. Rejects with `sizeDiffers` as soon as the bytes cannot match the announced size. */
async function* cut(
  reader: BodyReader,
  size: number | undefined,
  { part, mostParts }: PartSizes,
  see: (chunk: Uint8Array) => unknown,
): AsyncGenerator<Part> {
  const known = size === undefined ? undefined : Math.max(part, Math.ceil(size / mostParts));
  let came = 0;
  for (let number = 1; ; number += 1) {
    const wanted = known ?? (number > growAfter ? part * 4 : part);
    const bytes = await reader.gather(wanted, see);
    const length = lengthOf(bytes);
    came += length;
    const isLast = length < wanted;
    if (size !== undefined && (isLast ? came !== size : came > size))
      throw new ConnectorError('sizeDiffers', `${came} of ${size} bytes came`);
    if (length > 0 || number === 1) yield { number, bytes, size: length };
    if (isLast) return;
  }
}

const always = (): boolean => true;
/** Hexadecimal is the only documented encoding. */
const isHex = (hash: string | undefined): boolean => /^[0-9a-f]{40}$/i.test(hash ?? '');

/** Whether the operation may have succeeded although its response was lost. */
export const isLost = (error: unknown): boolean => isKind(error, 'interrupted', 'timeout');

/** An expired upload must not be reported as a missing path. */
function sessionLost(error: unknown): never {
  throw isKind(error, 'notFound') ? new ConnectorError('interrupted', 'the upload is gone', { cause: error }) : error;
}
