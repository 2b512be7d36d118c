import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '#/failure.ts';
import { recordIn } from '#/json.ts';
import { readJobs } from './job-status.ts';
import { statusPage, statusPolicy } from './page.ts';
import { setPaused } from './pausing.ts';
import { sentenceOf } from './words.ts';

/** Milliseconds for which the one-time address is valid, and after which the server stops when no page polls it. */
const openedWithin = 120_000;
const idleFor = 600_000;
/** Maximum size of a request body, in bytes. */
const longestBody = 4096;

interface Options {
  /** The settings folder. */
  readonly settings: string;
  /** Address of the server that the user is signed in to; empty when not signed in. */
  readonly account: () => Promise<string>;
  readonly signal: AbortSignal;
}

export interface StatusServer {
  /** Opens the page once. The code is in the fragment, which browsers never send. */
  readonly address: string;
  /** Resolves after ten minutes without a request; rejects with the reason of the signal, and with Failure when the address was used twice. */
  readonly ended: Promise<void>;
}

const newSecret = (): string => randomBytes(32).toString('base64url');
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Serves the status page on loopback. Other users of the computer and other sites in the browser get no data: it requires a token, which the page gets
 * once, in exchange for the code in the address. The token is not a cookie, so no other page can make the browser send it.
 */
export async function serveStatus({ settings, account, signal }: Options): Promise<StatusServer> {
  const [code, token] = [newSecret(), newSecret()];
  const begun = performance.now();
  let isUsed = false;
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let idle = setTimeout(end, idleFor);
  let own = '';

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, 500);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '/', headers } = request;
    // Refuses other host names that resolve to this address (DNS rebinding), and requests from pages of other sites.
    const isOther = headers.host !== own || (headers.origin !== undefined && headers.origin !== `http://${own}`);
    const site = headers['sec-fetch-site'];
    if (isOther || (site !== undefined && site !== 'same-origin' && site !== 'none')) return send(response, 403);
    if (method === 'GET' && path === '/') return send(response, 200, statusPage, 'text/html; charset=utf-8');
    if (method === 'POST' && path === '/session') return open(request, response);
    const isIn = isUsed && isSame(headers.authorization ?? '', `Bearer ${token}`);
    if (!isIn) return send(response, 401);
    clearTimeout(idle);
    idle = setTimeout(end, idleFor);
    if (method === 'GET' && path === '/state') return send(response, 200, await state());
    if (method === 'POST' && (path === '/pause' || path === '/resume')) return pause(request, response, path === '/pause');
    return send(response, 404);
  }

  async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { code: sent } = (await bodyOf(request)) ?? {};
    if (typeof sent !== 'string' || !isSame(sent, code) || performance.now() - begun > openedWithin) return send(response, 403);
    if (isUsed) {
      fail(new Failure('The address of the page was used twice: somebody else on this computer may have seen it. The page has ended.'));
      return send(response, 403);
    }
    isUsed = true;
    return send(response, 200, { token });
  }

  async function state(): Promise<object> {
    const jobs = await readJobs(settings);
    return { account: await account(), jobs: jobs.map((job) => ({ ...job, sentence: sentenceOf(job) })) };
  }

  async function pause(request: IncomingMessage, response: ServerResponse, isPaused: boolean): Promise<void> {
    const { id } = (await bodyOf(request)) ?? {};
    const job = (await readJobs(settings)).find((one) => one.id === id);
    if (!job) return send(response, 404);
    await setPaused(settings, job, isPaused);
    return send(response, 200, {});
  }

  await new Promise<void>((listening, failed) => {
    server.once('error', (error) => failed(new Failure('The page cannot be served here.', 'failed', error)));
    server.listen(0, '127.0.0.1', listening);
  });
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = (): void => fail(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const close = (): void => {
    clearTimeout(idle);
    signal.removeEventListener('abort', stop);
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://${own}/#${code}`, ended: ended.finally(close) };
}

function send(response: ServerResponse, status: number, body: string | object = {}, type = 'application/json'): void {
  response
    .writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'content-security-policy': statusPolicy,
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The JSON object of a request; undefined for anything else. A form of another page cannot send this type. */
async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (request.headers['content-type'] !== 'application/json') return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > longestBody) return undefined;
    chunks.push(chunk);
  }
  return recordIn(Buffer.concat(chunks).toString());
}
