import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectorError } from '../../core/error.ts';
import { type Chunks, lengthOf, piecesOf } from '../body/chunks.ts';
import type { Connection } from './http-connection.ts';
import { type Head, encodeHead, headLimit, parseHead } from './http-head.ts';
import { type UploadState, sendChunks, sendStream } from './http-upload.ts';
import type { HttpRequest } from './http.ts';
import { notHttp } from './speaks-http.ts';

/** State of a request that failed or was answered early. */
export interface Progress extends UploadState {
  /** Whether a byte of the response has arrived. */
  answered: boolean;
}

interface Options {
  /** Timeout in ms for the head of the response, after a request with that many bytes of a body was sent. */
  readonly headTimeout: (sent: number) => number;
  /** Whether a streamed body waits for the server's `100 Continue`. */
  readonly expectContinue: boolean;
  readonly progress: Progress;
}

/** Servers that do not know `Expect` stay silent: after this many ms the body is sent anyway (RFC 9110, section 10.1.1). */
const continueTimeout = 1000;
/** Bytes of an in-memory body that are written at once. */
const pieceSize = 256 * 1024;
/** Maximum number of interim responses before the final one; more are an error. */
const interimLimit = 32;

/** Sends one request and returns the head of its response. If the server responds early, stops sending and reads the response. */
export async function exchange(connection: Connection, request: HttpRequest, options: Options): Promise<Head> {
  const { progress, headTimeout, expectContinue } = options;
  const { body } = request;
  const wanted = Promise.withResolvers<void>();
  const answer = readHead(connection, request.method, progress, (status) => {
    if (status === 100) wanted.resolve();
  });
  const watch = () => {
    const milliseconds = headTimeout(progress.sent);
    return setTimeout(() => {
      connection.fail(new ConnectorError('timeout', `no answer within ${milliseconds} ms`, { retryable: true }));
    }, milliseconds);
  };
  let deadline = watch();

  async function send(): Promise<void> {
    const head = encodeHead(request.method, request.path, headersOf(connection.origin, request, expectContinue));
    // In pieces, so that an upload's progress does not jump by whole parts.
    const chunks = body instanceof Uint8Array && body.byteLength > pieceSize ? piecesOf(body, pieceSize) : body;
    if (isChunks(chunks)) {
      await connection.write(head);
      clearTimeout(deadline);
      await sendChunks(connection, chunks, progress);
      if (!progress.stopped) deadline = watch();
      return;
    }
    if (!(chunks instanceof Readable)) {
      progress.complete = true;
      if (chunks === undefined) return connection.write(head);
      clearTimeout(deadline);
      const bytes = typeof chunks === 'string' ? Buffer.from(chunks) : chunks;
      await connection.write(head, bytes);
      progress.sent = bytes.byteLength;
      if (chunks instanceof Uint8Array) progress.sending.add(chunks.byteLength);
      if (!progress.stopped) deadline = watch();
      return;
    }
    if (request.size === 0) {
      progress.complete = true;
      await connection.write(head);
      return;
    }
    await connection.write(head);
    if (expectContinue) await continued(wanted.promise, answer);
    if (progress.stopped || !connection.usable) return;
    clearTimeout(deadline);
    await sendStream(connection, chunks, request.size, progress);
    if (!progress.stopped) deadline = watch();
  }

  let isTaken = false;
  try {
    const head = await Promise.race([answer, send().then(() => answer)]);
    // TLS reports a finished write one turn of the event loop late.
    if (!progress.complete && head.status < 300) await nextTurn();
    if (!progress.complete && head.status < 300) throw new ConnectorError('unexpected', 'the server took the body for whole before it was');
    // Google responds with 308 to a part of a resumable upload.
    isTaken = head.status < 300 || head.status === 308;
    return head;
  } finally {
    clearTimeout(deadline);
    progress.stopped = true;
    if (!isTaken) progress.sending.undo();
    if (body instanceof Readable && progress.touched && !progress.complete) body.destroy();
  }
}

/** Resolves when the server accepts the body, has responded otherwise, or stays silent. */
async function continued(wanted: Promise<void>, answer: Promise<Head>): Promise<void> {
  const silence = Promise.withResolvers<void>();
  const timer = setTimeout(silence.resolve, continueTimeout);
  await Promise.race([wanted, silence.promise, answer]).finally(() => clearTimeout(timer));
}

const isChunks = (body: HttpRequest['body']): body is Chunks => Array.isArray(body);

function headersOf(origin: string, { method, headers, body, size }: HttpRequest, expectContinue: boolean): Record<string, string> {
  const length =
    body instanceof Readable ? size : body === undefined ? undefined : isChunks(body) ? lengthOf(body) : Buffer.byteLength(body);
  return {
    host: new URL(origin).host,
    'user-agent': 'Sheaf',
    'accept-encoding': 'identity',
    ...headers,
    ...(length !== undefined && { 'content-length': String(length) }),
    ...(body === undefined && (method === 'PUT' || method === 'POST') && { 'content-length': '0' }),
    ...(body instanceof Readable && size === undefined && { 'transfer-encoding': 'chunked' }),
    ...(body instanceof Readable && size !== 0 && expectContinue && { expect: '100-continue' }),
  };
}

async function readHead(connection: Connection, method: string, progress: Progress, onInterim: (status: number) => void): Promise<Head> {
  for (let interim = 0; interim <= interimLimit; interim += 1) {
    const head = parseHead(await readHeadText(connection, progress), method);
    if (head.status === 101) throw new ConnectorError('unexpected', 'the server switched protocols unasked');
    if (head.status >= 200) return head;
    onInterim(head.status);
  }
  throw new ConnectorError('unexpected', 'the server sends interim answers only');
}

async function readHeadText({ inbound }: Connection, progress: Progress): Promise<string> {
  let text = '';
  while (text.length <= headLimit) {
    const bytes = await inbound.read();
    if (!bytes) throw new ConnectorError('interrupted', 'the server closed the connection without an answer', { retryable: true });
    progress.answered = true;
    const before = text.length;
    text += bytes.toString('latin1', 0, headLimit + 4);
    if (!/^H(?:T(?:T(?:P|$)|$)|$)/.test(text)) break;
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end !== -1) {
      inbound.unread(bytes.length - (end + 4 - before));
      return text.slice(0, end);
    }
  }
  throw notHttp(text);
}
