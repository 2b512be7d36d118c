import { Readable } from 'node:stream';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { Leftovers } from '../../core/leftovers.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import type { PutAsk, StoredObject } from '../../kit/object-store/object-store.ts';
import { keptFor, putAtFreeKey } from '../../kit/object-store/other-name.ts';
import { type Part, type PartSizes, cutBody, defaultPartSizes } from '../../kit/object-store/upload-parts.ts';
import { etagOf, objectOfHeaders, timeHeaders } from './api.ts';
import type { S3Client, S3Request } from './client.ts';
import { type Digests, md5Header } from './digests.ts';
import { putInParts } from './multipart.ts';

/** S3 accepts 5 GiB in one request and 10,000 parts: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const s3PartSizes: PartSizes = { ...defaultPartSizes, single: 5 * 1024 ** 3, mostParts: 10_000 };

interface Options {
  readonly storageClass: string | undefined;
  readonly sizes: PartSizes;
  readonly digests: Digests;
  readonly leftovers: Leftovers;
}

type Send = (request: S3Request) => Promise<HttpResponse>;

/**
 * Uploads one object: in one signed request when its length is known and within the limit, otherwise in parts. Where the bucket requires an MD5
 * before the bytes, everything is sent from memory, part by part.
 */
export function createUpload(client: S3Client, { storageClass, sizes, digests, leftovers }: Options) {
  let takesConditions = true;

  const objectHeaders = ({ fileTime, mimeType }: PutAsk): Record<string, string> => ({
    ...timeHeaders(fileTime),
    ...(mimeType !== undefined && { 'content-type': mimeType }),
    ...(storageClass !== undefined && { 'x-amz-storage-class': storageClass }),
  });

  /**
   * Sends a request with the precondition that the key is free: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html A
   * service without preconditions refuses before it takes a body; the request is repeated without, and later ones omit it. A body in memory is then
   * sent only after another check that the key is free.
   */
  const sendIfAbsent = async (request: S3Request, { ifAbsent }: PutAsk): Promise<HttpResponse> => {
    if (!ifAbsent) return client.send(request);
    if (!takesConditions) return sendIfMissing(request);
    try {
      return await client.send({ ...request, headers: { ...request.headers, 'if-none-match': '*' } });
    } catch (error) {
      if (!isKind(error, 'unsupported')) throw error;
      takesConditions = false;
      if (request.body instanceof Readable && request.body.readableDidRead) throw error;
      return sendIfMissing(request);
    }
  };

  const sendIfMissing = async (request: S3Request): Promise<HttpResponse> => {
    if (!(request.body instanceof Readable) && (await isThere(request))) throw new ConnectorError('alreadyExists', 'the key was taken');
    return client.send(request);
  };

  const isThere = async ({ key, signal }: S3Request): Promise<boolean> => {
    try {
      const response = await client.send({ method: 'HEAD', ...(key !== undefined && { key }), signal });
      await response.discard();
      return true;
    } catch (error) {
      if (isKind(error, 'notFound')) return false;
      throw error;
    }
  };

  /** Sends bytes, with their MD5 where the bucket requires it. A stream is sent without: it would have to be read to its end first. */
  const sendBytes = async (request: S3Request, send: Send): Promise<HttpResponse> => {
    const { body } = request;
    if (!(body instanceof Uint8Array)) return send(request);
    const sendDigested = async () => send({ ...request, headers: { ...request.headers, ...(await md5Header(body)) } });
    if (await digests.wanted()) return sendDigested();
    try {
      return await send(request);
    } catch (error) {
      if (await digests.learnFrom(error)) return sendDigested();
      throw error;
    }
  };

  const putWhole = async (key: string, { body, size }: Part, ask: PutAsk): Promise<StoredObject> => {
    const request = { method: 'PUT', key, headers: objectHeaders(ask), body, size, signal: ask.signal } as const;
    const response = await sendBytes(request, (one) => sendIfAbsent(one, ask));
    await response.discard();
    return stored(key, size, ask, response.headers);
  };

  const putParts = async (key: string, parts: AsyncIterable<Part>, ask: PutAsk): Promise<StoredObject> => {
    const { signal } = ask;
    let size = 0;
    const complete = (request: S3Request) => sendIfAbsent(request, ask);
    const headers = await putInParts(client, key, { signal, leftovers, headers: objectHeaders(ask), complete }, async (query) => {
      const etags: string[] = [];
      for await (const part of parts) {
        const sent = await sendBytes({ method: 'PUT', key, query: query(etags.length + 1), ...part, signal }, client.send);
        await sent.discard();
        etags.push(etagOf(sent.headers['etag']).etag ?? '');
        size += part.size;
      }
      return etags;
    });
    return stored(key, size, ask, headers);
  };

  const put = async (key: string, body: Readable, ask: PutAsk): Promise<StoredObject> => {
    const cut = await cutBody(body, ask, (await digests.wanted()) ? { ...sizes, inMemory: true } : keptFor(ask, sizes));
    if (!('whole' in cut)) return putParts(key, cut.parts, ask);
    return (await putAtFreeKey(key, cut.whole, ask, (at) => putWhole(at, cut.whole, ask))).result;
  };

  return async (key: string, body: Readable, ask: PutAsk): Promise<StoredObject> => {
    try {
      return await put(key, body, ask);
    } catch (error) {
      if (!(await digests.learnFrom(error)) || body.readableDidRead) throw error;
      return put(key, body, ask);
    }
  };
}

/** Returns the stored object without another request. The time is that of the service's response. */
function stored(key: string, size: number, { fileTime, mimeType }: PutAsk, { etag = '', date = '' }: Record<string, string>): StoredObject {
  return {
    ...objectOfHeaders(key, { etag, 'last-modified': date }),
    size,
    ...(fileTime !== undefined && { fileTime }),
    ...(mimeType !== undefined && { mimeType }),
  };
}
