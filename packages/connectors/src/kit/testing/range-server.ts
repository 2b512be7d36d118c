import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { Body } from '../../core/connector.ts';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpOptions } from '../http/http.ts';
import { type RequestBytes, readInTwo } from '../http/two-part-read.ts';
import { serveHttp } from './http-server.ts';

export const pattern = (length: number): Buffer => Buffer.alloc(length, 'the quick brown fox jumps over the lazy dog 0123456789');
export const firstPart = 10_000;
export const file = pattern(10 * firstPart);

/** One request for the file. */
export interface Asked {
  readonly range: string | undefined;
  readonly ifMatch: string | undefined;
  readonly response: ServerResponse;
  /**
   * Sends the head of a server that supports ranges and conditions, with these additional headers; returns the bytes to send, none for a
   * refusal.
   */
  begin(content?: Buffer, headers?: Readonly<Record<string, string>>): Buffer;
}

export type Answer = (asked: Asked) => void;

/** Sends the requested bytes. */
export const give =
  (content = file, headers: Readonly<Record<string, string>> = {}): Answer =>
  ({ begin, response }) => {
    response.end(begin(content, headers));
  };

/**
 * Starts a server that handles the first requests with the given answers and further ones correctly; also returns a reader of its file in
 * two parts.
 */
export async function serveRanges(t: TestContext, answers: readonly Answer[] = [], options: Partial<HttpOptions> = {}) {
  const asked: Asked[] = [];
  const { client, close, connections } = await serveHttp((request, response) => {
    const one = understood(request, response);
    asked.push(one);
    (answers[asked.length - 1] ?? give())(one);
  }, options);
  t.after(close);
  const ask: RequestBytes = async (headers, signal) => {
    const answer = await client.request({ method: 'GET', path: '/', headers, signal });
    if (answer.status < 300) return answer;
    await answer.discard();
    const kind = refusals[answer.status] ?? 'unexpected';
    throw new ConnectorError(kind, `the server said ${answer.status}`, { retryable: answer.status === 503 });
  };
  const read = async (signal = new AbortController().signal): Promise<Body> =>
    (await readInTwo(ask, { signal, firstPart })).body({ etag: '1' });
  return { asked, ranges: () => asked.map(({ range }) => range), read, connections };
}

/** Error kinds for the server's refusals, as a connector maps them. */
const refusals: Readonly<Record<number, ConnectorErrorKind>> = {
  403: 'forbidden',
  412: 'alreadyExists',
  416: 'badRange',
  503: 'rateLimited',
};

function understood({ headers }: IncomingMessage, response: ServerResponse): Asked {
  const { range, 'if-match': ifMatch } = headers;
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  return {
    range,
    ifMatch,
    response,
    begin(content = file, more = {}) {
      const [start, end] = [Number(first), Math.min(last === '' ? Infinity : Number(last) + 1, content.length)];
      const etag = `"${content.length}"`;
      const refusal = ifMatch !== undefined && ifMatch !== etag ? 412 : range !== undefined && start >= content.length ? 416 : undefined;
      const part = range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${content.length}` };
      if (refusal) response.writeHead(refusal, { 'content-length': '0' });
      else response.writeHead(range === undefined ? 200 : 206, { etag, 'content-length': String(end - start), ...part, ...more });
      response.flushHeaders();
      return refusal ? Buffer.alloc(0) : content.subarray(start, end);
    },
  };
}
