import { Readable } from 'node:stream';
import { hearAnswer } from '../../core/answer-id.ts';
import { answerAfter, deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { startSending } from '../body/upload-meter.ts';
import type { Connection } from './http-connection.ts';
import { type Progress, exchange } from './http-exchange.ts';
import { isKept, keepWhole } from './http-kept.ts';
import { createConnectionPool } from './http-pool.ts';
import { createResponse } from './http-response.ts';
import { expectNothing } from './http-upload.ts';
import type { HttpClient, HttpOptions, HttpRequest, HttpResponse } from './http.ts';

/** Idempotent methods: RFC 9110, section 9.2.2, and RFC 4918, section 9.1. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND']);

/** Safe methods: RFC 9110, section 9.2.1, and RFC 4918, section 9.1. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND']);

/** Timeout in ms for the head of the response, after a body of that size. */
const usualTime = (method: string, sent: number): number => (safe.has(method) ? deadlines.question : answerAfter(sent));

/** Whether the request can be sent again: no byte of its response has arrived, and its body is still unread. */
const canRepeat = ({ method, body }: HttpRequest, progress: Progress): boolean =>
  !progress.answered && (body instanceof Readable ? !progress.touched : idempotent.has(method));

/** A stream may fail before its first byte is read; its later reader gets the error. Without this listener the process would end. */
const toldByReading = (): void => undefined;

/**
 * An HTTP/1.1 client (RFC 9112) on the dialer's sockets. Node's own client reads them in slices of 64 KiB; here bodies arrive in large lent
 * buffers. Announces a streamed body with `Expect: 100-continue`, so that a refusal arrives before the body is read. The body is consumed
 * or destroyed, except when the response arrived before its first byte was read: then it is untouched and can be sent again. Reads a body
 * announced as empty first, because its request is complete with its head. The request's signal applies until the response's body was
 * taken. The body of a refusal is read before the caller sees its status, so that only the body of a success can hold a connection. If a
 * reused connection turns out to be closed, repeats the request once on a new one, where it can be repeated.
 */
export function createHttp(options: HttpOptions): HttpClient {
  const pool = createConnectionPool(options);
  /** Origins whose server refused `Expect` with 417. */
  const noExpect = new Set<string>();

  async function attempt(request: HttpRequest, origin: string, fresh: boolean): Promise<HttpResponse | 'again'> {
    const { connection, reused } = await pool.acquire(origin, request.signal, { fresh });
    const onAbort = () => connection.fail(new ConnectorError('aborted', 'given up'));
    request.signal.addEventListener('abort', onAbort, { once: true });
    const progress: Progress = { answered: false, touched: false, complete: false, stopped: false, sending: startSending(), sent: 0 };
    const expectContinue = !noExpect.has(origin);
    const headTimeout = (sent: number) => request.headTimeout ?? options.headTimeout ?? usualTime(request.method, sent);
    try {
      const head = await exchange(connection, request, { headTimeout, expectContinue, progress });
      hearAnswer(head.status, head.headers);
      const coming = createResponse(connection, head, (whole) => {
        request.signal.removeEventListener('abort', onAbort);
        giveBack(connection, whole && head.keepAlive && progress.complete, head.keepAliveFor);
      });
      const size = head.framing.kind === 'length' ? head.framing.length : undefined;
      const response = isKept(coming, size) ? await keepWhole(coming, connection) : coming;
      if (head.status !== 417 || !expectContinue || progress.touched || !(request.body instanceof Readable)) return response;
      noExpect.add(origin);
      await response.discard();
      return 'again';
    } catch (error) {
      request.signal.removeEventListener('abort', onAbort);
      pool.discard(connection);
      if (reused && isKind(error, 'interrupted') && canRepeat(request, progress)) return 'again';
      throw error;
    }
  }

  function giveBack(connection: Connection, reusable: boolean, keepFor: number | undefined): void {
    if (reusable) pool.release(connection, keepFor);
    else pool.discard(connection);
  }

  return {
    async request(request) {
      const origin = request.origin ?? options.origin;
      if (request.signal.aborted) throw new ConnectorError('aborted', 'given up');
      if (request.body instanceof Readable) request.body.on('error', toldByReading);
      if (request.body instanceof Readable && request.size === 0) await expectNothing(request.body, request.signal);
      const first = await attempt(request, origin, false);
      const answer = first === 'again' ? await attempt(request, origin, true) : first;
      if (answer === 'again') throw new ConnectorError('unexpected', 'the server refuses every request');
      return answer;
    },
    close: () => pool.close(),
  };
}
