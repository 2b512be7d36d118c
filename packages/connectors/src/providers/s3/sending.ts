import { Readable } from 'node:stream';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import type { PutOptions } from '../../kit/object-store/object-store.ts';
import type { S3Client, S3Request } from './client.ts';
import { type Digests, md5Header } from './digests.ts';

type Send = (request: S3Request) => Promise<HttpResponse>;

/** Requests that use features which a service may lack, or may require. */
export interface Sending {
  /** Sends a request that creates an object, on condition that its key is free if `ifAbsent`. */
  sendIfAbsent(request: S3Request, ask: Pick<PutOptions, 'ifAbsent'>): Promise<HttpResponse>;
  /**
   * Sends bytes, with their MD5 where the bucket requires it. Streams are sent without one: computing it would require reading them first.
   */
  sendBytes(request: S3Request, send?: Send): Promise<HttpResponse>;
}

export function createSending(client: S3Client, digests: Digests): Sending {
  let takesConditions = true;

  const sendIfMissing = async (request: S3Request): Promise<HttpResponse> => {
    if (await isThere(request)) throw new ConnectorError('alreadyExists', 'the key was taken');
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

  return {
    /**
     * Sends the precondition: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html A service without preconditions
     * refuses the request before it reads the body; the request is repeated without one, and later requests omit it. The body is then sent
     * only after a check that the key is free.
     */
    async sendIfAbsent(request, { ifAbsent }) {
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
    },

    async sendBytes(request, send = client.send) {
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
    },
  };
}
