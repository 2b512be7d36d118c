import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type Chunks, chunksFrom, lengthOf } from '../../../kit/body/chunks.ts';
import { setTaken } from '../../../kit/body/upload-meter.ts';
import { pauseBeforeRetry, uploadWait } from '../../../kit/concurrency/retry-busy.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import type { Api } from '../../../kit/rest/api.ts';

interface Options {
  readonly api: Api;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<string>;
}

/** Consecutive failures of one chunk before the upload fails. */
const mostFailures = 5;
const answerLimit = 256 * 1024;

/**
 * A resumable upload session. Its URL is a credential in itself: no token is sent. After a failure the status is queried and the upload
 * resumes; a session lost before its first chunk was accepted is restarted.
 */
export async function createSession({ api, signal, begin }: Options) {
  async function addressOfNew(): Promise<string> {
    const address = URL.parse(await begin());
    if (!address) throw new ConnectorError('unexpected', 'an upload was begun without an address');
    return address.href;
  }
  let address = await addressOfNew();

  const send = (range: string, headers: Readonly<Record<string, string>> = {}, body: Chunks = []): Promise<HttpResponse> =>
    api.send({
      method: 'PUT',
      url: address,
      headers: { ...headers, 'content-range': range, 'content-type': 'application/octet-stream' },
      body,
      signal,
      authorized: false,
      accepts: headers['x-goog-hash'] === undefined ? [308, 404, 410] : [308, 400, 404, 410],
    });

  /** Returns the final response, the number of bytes stored, or undefined when the session is unknown to the service. */
  async function outcome(response: HttpResponse): Promise<string | number | undefined> {
    if (response.status === 308) {
      await response.discard();
      const last = /^bytes=0-(\d+)$/.exec(response.headers['range'] ?? '')?.[1];
      return last === undefined ? 0 : Number(last) + 1;
    }
    if (response.status === 404 || response.status === 410) {
      await response.discard();
      return undefined;
    }
    if (response.status !== 400) return response.text(answerLimit);
    await response.discard();
    throw new ConnectorError('damaged', 'the service refuses bytes that have another hash than the one told');
  }

  return {
    /** Stores bytes at offset `start`; `total` once it is known. Returns the service's response when that ended the upload. */
    async put(
      bytes: Chunks,
      start: number,
      total: number | undefined,
      seal: Readonly<Record<string, string>> | undefined,
    ): Promise<string | undefined> {
      const end = start + lengthOf(bytes);
      const whole = total ?? '*';
      let stored = start;
      let failures = 0;
      let isUnsure = false;
      for (;;) {
        try {
          const rest = chunksFrom(bytes, stored - start);
          const isQuestion = isUnsure || rest.length === 0;
          const told = isQuestion
            ? await outcome(await send(`bytes */${whole}`, seal))
            : await outcome(await send(`bytes ${stored}-${end - 1}/${whole}`, seal, rest));
          if (told === undefined) {
            if (start > 0 || failures >= mostFailures) throw new ConnectorError('unexpected', 'the service has forgotten the upload');
            failures += 1;
            address = await addressOfNew();
            stored = 0;
            isUnsure = false;
            continue;
          }
          if (typeof told === 'string') return told;
          if (told < start || told > end) throw new ConnectorError('unexpected', `the service has ${told} bytes of ${end}`);
          if (told === end && total !== end) return undefined;
          // Limits retries without progress; a status query after a failure counts with that failure.
          if (told > stored) failures = 0;
          else if (!isUnsure) failures += 1;
          if (failures >= mostFailures) throw new ConnectorError('interrupted', 'the service takes no more bytes');
          stored = told;
          setTaken(stored);
          isUnsure = false;
        } catch (error) {
          const mayPass = isKind(error, 'interrupted', 'rateLimited', 'timeout', 'unreachable');
          failures += 1;
          if (!mayPass || signal.aborted || failures >= mostFailures || !(await pauseBeforeRetry(failures, error, signal, uploadWait)))
            throw error;
          isUnsure = true;
        }
      }
    },

    /** Cancels the upload at the service. When that also fails, the error contains both failures. */
    async giveUp(reason: unknown): Promise<void> {
      const ended = AbortSignal.timeout(deadlines.aside);
      try {
        await api.done({ method: 'DELETE', url: address, signal: ended, authorized: false, accepts: [404, 410, 499] });
      } catch (error) {
        const kind = reason instanceof ConnectorError ? reason.kind : 'interrupted';
        throw new ConnectorError(kind, 'an upload failed and could not be given up', { cause: new AggregateError([reason, error]) });
      }
    },
  };
}
export type Session = Awaited<ReturnType<typeof createSession>>;
