import type { Body } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { markHandled } from '../concurrency/mark-handled.ts';
import { retryWhileBusy } from '../concurrency/retry-busy.ts';
import type { HttpResponse } from './http.ts';
import { partOf, rangeHeader } from './part-of.ts';

/**
 * Sends a request for the file with these additional headers; returns a successful response. Rejects as a connector does otherwise: with
 * `badRange` for an empty range.
 */
export type RequestBytes = (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<HttpResponse>;

/** A response to a GET of a whole file. Its headers may contain the length of only the first part. */
type WholeFile = Pick<HttpResponse, 'headers' | 'body'>;

interface Options {
  readonly signal: AbortSignal;
  /** Bytes of the first part; a shorter file takes one request. */
  readonly firstPart: number;
  /** Size of the file in bytes, if known: a file that fits into the first part is requested without a range. */
  readonly size?: number | undefined;
}

/**
 * Maximum requests for the rest: while the reader is slow, the server may close the connection with the waiting rest, which is then
 * requested again from there.
 */
const mostRests = 2;

/**
 * Reads a whole file in two requests: the first part, and the rest, which is requested when half of the first part has been read, so that
 * its beginning waits in the socket of a second connection when the first part ends. The reason is OpenStack Swift, which runs many S3
 * services: it computes an MD5 for every read that begins at the file's first byte (DiskFileReader in swift/obj/diskfile.py), and serves a
 * read that begins later about three times as fast. Requesting the rest at once would send it in vain to callers that read only the
 * beginning, and keep it waiting for a slow reader.
 *
 * Both parts come from the same file: the rest is requested with If-Match. A file without a strong ETag (RFC 9110, section 8.8.3) is read
 * in one request; so is a file of unknown length, an empty one, and any file of a server without ranges. Rejects as `ask` does; the body
 * breaks off with `interrupted` when the rest is refused or belongs to another file.
 */
export async function readInTwo(ask: RequestBytes, { signal, firstPart, size }: Options): Promise<WholeFile> {
  if (size !== undefined && size <= firstPart) return ask({}, signal);
  const response = await ask(rangeHeader({ start: 0, end: firstPart }), signal).catch((error: unknown) => {
    if (isKind(error, 'badRange')) return ask({}, signal);
    throw error;
  });
  if (response.status !== 206) return response;
  const [, last, length] = /^bytes 0-(\d{1,15})\/(\d{1,15})$/.exec(response.headers['content-range'] ?? '') ?? [];
  const [end, total] = [Number(last) + 1, Number(length)];
  if (end === total) return response;
  const etag = response.headers['etag'] ?? '';
  if (!(end < total) || !/^"[^"]*"$/.test(etag)) {
    response.body().cancel();
    return ask({}, signal);
  }

  const rest = async (start: number, until: AbortSignal): Promise<Body> => {
    const answer = await ask({ ...rangeHeader({ start }), 'if-match': etag }, until);
    const body = partOf(answer, { start });
    if ((answer.headers['etag'] ?? etag) === etag && (body.entry.size ?? total) === total) return body;
    body.cancel();
    throw new ConnectorError('unexpected', 'the rest is of another file');
  };
  return { headers: response.headers, body: (entry) => joined(response.body(entry), rest, { end, total, signal }) };
}

interface Lengths {
  /** Offset of the end of the first part. */
  readonly end: number;
  readonly total: number;
  readonly signal: AbortSignal;
}

function joined(first: Body, askRest: (start: number, signal: AbortSignal) => Promise<Body>, { end, total, signal }: Lengths): Body {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const restFrom = (start: number) => markHandled(retryWhileBusy(until, () => askRest(start, until), passes).catch(refused));

  return {
    size: total,
    entry: first.entry,
    cancel() {
      first.cancel();
      over.abort();
    },
    async drain(take) {
      let position = 0;
      let rest: Promise<Body> | undefined;
      let takerFailed = false;
      const hand = async (chunk: Uint8Array): Promise<void> => {
        position += chunk.byteLength;
        if (position >= end / 2) rest ??= restFrom(end);
        try {
          await take(chunk);
        } catch (error) {
          takerFailed = true;
          throw error;
        }
      };
      const mayGoOn = (error: unknown): ConnectorError => {
        if (takerFailed || !isKind(error, 'interrupted') || !error.retryable) throw error;
        return error;
      };
      try {
        await first.drain(hand);
        if (position !== end) throw cut(`${position} of ${end} bytes of the first part came`);
        let failure: ConnectorError | undefined;
        for (let asked = 0; position < total; asked++) {
          if (asked === mostRests) throw failure ?? cut(`${position} of ${total} bytes came`);
          const body = await (asked === 0 && rest ? rest : restFrom(position));
          failure = await body.drain(hand).then(() => undefined, mayGoOn);
        }
        if (position > total) throw cut(`${position} bytes came of ${total}`);
      } finally {
        over.abort();
      }
    },
  };
}

const cut = (message: string, cause?: unknown) => new ConnectorError('interrupted', message, { cause, retryable: true });

/** Whether a refused request for the rest may be retried here: no layer repeats it, because the file's body has begun. */
const passes = ({ kind }: ConnectorError): boolean => kind !== 'timeout';

/** The file existed a moment ago: reading it again returns its current version, or the reason for its absence. */
function refused(error: unknown): never {
  if (isKind(error, 'aborted', 'interrupted', 'timeout')) throw error;
  throw cut('the rest of the file was refused', error);
}
