import type { Readable } from 'node:stream';
import type { Leftovers } from '../../core/leftovers.ts';
import type { PutOptions, StoredObject } from '../../kit/object-store/object-store.ts';
import { keptFor, putAtFreeKey } from '../../kit/object-store/other-name.ts';
import { type Part, type PartSizes, cutBody, defaultPartSizes } from '../../kit/object-store/upload-parts.ts';
import { etagOf, objectOfHeaders, timeHeaders } from './api.ts';
import type { S3Client, S3Request } from './client.ts';
import type { Digests } from './digests.ts';
import { putInParts } from './multipart.ts';
import type { Sending } from './sending.ts';

/** S3 accepts 5 GiB in one request and 10,000 parts: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const s3PartSizes: PartSizes = { ...defaultPartSizes, single: 5 * 1024 ** 3, mostParts: 10_000 };

interface Options {
  readonly storageClass: string | undefined;
  readonly sizes: PartSizes;
  readonly digests: Digests;
  readonly leftovers: Leftovers;
  readonly sending: Sending;
}

/** Returns the headers of a new object: type, own time, storage class. */
export const objectHeaders = ({ fileTime, mimeType }: PutOptions, storageClass: string | undefined): Record<string, string> => ({
  ...timeHeaders(fileTime),
  ...(mimeType !== undefined && { 'content-type': mimeType }),
  ...(storageClass !== undefined && { 'x-amz-storage-class': storageClass }),
});

/**
 * Uploads one object: in one signed request when its length is known and within the limit, otherwise in parts. Where the bucket requires an
 * MD5 before the bytes, everything is sent from memory, part by part.
 */
export function createUpload(client: S3Client, { storageClass, sizes, digests, leftovers, sending }: Options) {
  const { sendIfAbsent, sendBytes } = sending;

  const putWhole = async (key: string, { body, size }: Part, ask: PutOptions): Promise<StoredObject> => {
    const request = { method: 'PUT', key, headers: objectHeaders(ask, storageClass), body, size, signal: ask.signal } as const;
    const response = await sendBytes(request, (one) => sendIfAbsent(one, ask));
    await response.discard();
    return stored(key, size, ask, response.headers);
  };

  const putParts = async (key: string, parts: AsyncIterable<Part>, ask: PutOptions): Promise<StoredObject> => {
    const { signal } = ask;
    let size = 0;
    const complete = (request: S3Request) => sendIfAbsent(request, ask);
    const headers = await putInParts(
      client,
      key,
      { signal, leftovers, headers: objectHeaders(ask, storageClass), complete },
      async (query) => {
        const etags: string[] = [];
        for await (const part of parts) {
          const sent = await sendBytes({ method: 'PUT', key, query: query(etags.length + 1), ...part, signal }, client.send);
          await sent.discard();
          etags.push(etagOf(sent.headers['etag']).etag ?? '');
          size += part.size;
        }
        return etags;
      },
    );
    return stored(key, size, ask, headers);
  };

  const put = async (key: string, body: Readable, ask: PutOptions): Promise<StoredObject> => {
    const cut = await cutBody(body, ask, (await digests.wanted()) ? { ...sizes, inMemory: true } : keptFor(ask, sizes));
    if (!('whole' in cut)) return putParts(key, cut.parts, ask);
    return (await putAtFreeKey(key, cut.whole, ask, (at) => putWhole(at, cut.whole, ask))).result;
  };

  return async (key: string, body: Readable, ask: PutOptions): Promise<StoredObject> => {
    try {
      return await put(key, body, ask);
    } catch (error) {
      if (!(await digests.learnFrom(error)) || body.readableDidRead) throw error;
      return put(key, body, ask);
    }
  };
}

/** Returns the stored object without another request. The time is that of the service's response. */
function stored(
  key: string,
  size: number,
  { fileTime, mimeType }: PutOptions,
  { date = '', ...headers }: Record<string, string>,
): StoredObject {
  return {
    ...objectOfHeaders(key, { ...answered(headers), 'last-modified': date }),
    size,
    ...(fileTime !== undefined && { fileTime }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** Selects the headers of a response to an upload that describe the object; length and type are those of the response itself. */
const answered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'etag' || name.startsWith('x-amz-')));
