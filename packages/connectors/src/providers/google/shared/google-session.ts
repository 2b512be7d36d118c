import { ConnectorError, isKind } from '../../../core/error.ts';
import { type Chunks, chunksFrom, lengthOf } from '../../../kit/body/chunks.ts';
import { pausedFor, uploadWait } from '../../../kit/concurrency/patience.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import type { Api } from '../../../kit/rest/api.ts';

interface Options {
  readonly api: Api;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<string>;
}

/** Failures of one piece in a row before the upload is given up. */
const mostFailures = 5;
/** ms for giving up a session, whose caller may be gone already. */
const giveUpTime = 10_000;
const answerLimit = 256 * 1024;

/**
 * A session of a resumable upload. Its address is a permission by itself: no token goes there. A piece that is cut is asked after and goes on from where the
 * service has it; a session that is lost before its first piece was taken is begun anew.
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

  /** The final answer, how many bytes the service has, or nothing when it has forgotten the session. */
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
    /** Stores bytes that begin at `start`; `total` once it is known. Gives the service's answer when that ended the upload. */
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
          // A service that has nothing more each time is asked only so often; a question after a failure was counted with it.
          if (told > stored) failures = 0;
          else if (!isUnsure) failures += 1;
          if (failures >= mostFailures) throw new ConnectorError('interrupted', 'the service takes no more bytes');
          stored = told;
          isUnsure = false;
        } catch (error) {
          const mayPass = isKind(error, 'interrupted', 'rateLimited', 'timeout', 'unreachable');
          failures += 1;
          if (!mayPass || signal.aborted || failures >= mostFailures || !(await pausedFor(failures, error, signal, uploadWait)))
            throw error;
          isUnsure = true;
        }
      }
    },

    /** Frees what the service keeps of the upload. When that fails as well, both failures are told. */
    async giveUp(reason: unknown): Promise<void> {
      const ended = AbortSignal.timeout(giveUpTime);
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
