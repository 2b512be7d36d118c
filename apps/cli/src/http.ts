import { Agent as PlainAgent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { ConnectionLost } from './failure.ts';

/** Milliseconds without data after which a connection counts as lost. */
const timeout = 180_000;

export interface Outgoing {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, or a stream of exactly `size` bytes (any length without it). */
  readonly body?: string | { readonly stream: Readable; readonly size?: number };
  readonly signal: AbortSignal;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Must be read to its end, or destroyed. */
  readonly body: IncomingMessage;
}

export type Http = ReturnType<typeof createHttp>;

/** Creates an HTTP client with keep-alive. Requests reject with ConnectionLost, or with the signal's reason. Redirects are not followed. */
export function createHttp() {
  const agents = { 'http:': new PlainAgent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true }) };

  function send(url: URL, { method, headers = {}, body, signal }: Outgoing): Promise<Incoming> {
    return new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.size;
      const request = (secure ? tlsRequest : plainRequest)(url, {
        method,
        agent: secure ? agents['https:'] : agents['http:'],
        signal,
        timeout,
        headers: { ...headers, ...(length !== undefined && { 'content-length': String(length) }) },
      });
      const fail = (error: Error): void => {
        if (typeof body === 'object') body.stream.destroy();
        reject(signal.aborted ? asError(signal.reason) : lost(url, error));
      };
      request.once('timeout', () => request.destroy(new Error('it did not answer in time')));
      request.on('error', fail);
      request.once('response', (answer: IncomingMessage) => {
        // A refusal may arrive before the whole body is sent; the rest is then not sent.
        if (typeof body === 'object' && !body.stream.readableEnded) body.stream.unpipe(request).destroy();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer });
      });
      if (typeof body !== 'object') request.end(body);
      else {
        body.stream.once('error', (error) => {
          request.destroy();
          reject(error);
        });
        body.stream.pipe(request);
      }
    });
  }

  return {
    send,
    /** Closes all connections. */
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
const lost = (url: URL, error: Error): ConnectionLost =>
  new ConnectionLost(`Cannot connect to ${url.origin}: ${error.message === '' ? error.name : error.message}.`, 'failed', error);

/** Reads the whole body as text; rejects with ConnectionLost when it is incomplete or longer than `most` bytes. */
export async function textOf({ body }: Incoming, most = 16 << 20): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > most) throw new Error('the answer is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw new ConnectionLost('The server broke off in the middle of its answer.', 'failed', error);
  }
  return Buffer.concat(chunks).toString();
}
