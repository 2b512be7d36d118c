import { setTimeout as wait } from 'node:timers/promises';
import { readWhole } from '@sheaf/connectors';
import { waitAfter } from '@sheaf/connectors/kit/concurrency/backoff.ts';
import recurly from 'recurly';

/** recurly exports both classes (README, "HttpAdapter interface"), but its type declarations leave them out. */
declare module 'recurly' {
  export class HttpResponse {
    readonly statusCode: number;
    constructor(statusCode: number, headers: Record<string, string>, body: string | null);
  }
  export abstract class HttpAdapter {
    abstract execute(method: string, url: string, headers: Record<string, string>, body: string | null): Promise<HttpResponse>;
  }
}

/** The host that Recurly's library puts into addresses. */
const presetOrigin = 'https://v3.recurly.com';
/** Milliseconds for one try and for all tries together. */
const timeouts = { one: 20_000, all: 45_000 };
const tries = 3;
const backoff = { first: 400 };
/** Longest Retry-After of Recurly that is waited for, in milliseconds. */
const longestWait = 5_000;

/**
 * HTTP adapter for Recurly's library: sends requests to the configured address, with deadlines. Retries what did not arrive or was refused
 * temporarily; every try of a write carries the same Idempotency-Key, so that Recurly performs it once (Recurly API v2021-02-25, Idempotent
 * Requests).
 */
export class RecurlyHttp extends recurly.HttpAdapter {
  readonly #apiUrl: string;
  readonly #key: string;

  constructor(apiUrl: string, idempotencyKey: string) {
    super();
    this.#apiUrl = apiUrl.replace(/\/$/, '');
    this.#key = idempotencyKey;
  }

  override async execute(method: string, url: string, headers: Record<string, string>, body: string | null): Promise<recurly.HttpResponse> {
    const address = this.#apiUrl + url.slice(presetOrigin.length);
    const over = AbortSignal.timeout(timeouts.all);
    const all = { ...headers, ...(method !== 'GET' && { 'Idempotency-Key': this.#key }) };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await attempted(address, {
        method,
        headers: all,
        body,
        signal: AbortSignal.any([over, AbortSignal.timeout(timeouts.one)]),
      });
      const isLast = attempt === tries || over.aborted;
      if (answer instanceof Response && (isLast || !mayPass(answer)))
        return new recurly.HttpResponse(answer.status, Object.fromEntries(answer.headers), await textOf(answer));
      if (isLast) throw answer;
      await wait(pauseBefore(attempt, answer));
    }
  }
}

/** Far more than a page of Recurly's longest lists. */
const longestAnswer = 16 * 1024 * 1024;

async function textOf({ body }: Response): Promise<string> {
  return body ? (await readWhole(body, longestAnswer)).toString('utf8') : '';
}

/** Returns the response, or the error that prevented one. */
const attempted = (address: string, request: RequestInit): Promise<unknown> => fetch(address, request).catch((error: unknown) => error);

/** Retryable: busy, temporarily broken, or the same write is under way. */
const mayPass = ({ status, headers }: Response): boolean =>
  status === 429 || status >= 500 || (status === 409 && headers.get('recurly-should-retry') === 'true');

function pauseBefore(attempt: number, answer: unknown): number {
  const asked = answer instanceof Response ? Number(answer.headers.get('retry-after')) * 1000 : 0;
  return Math.min(asked > 0 ? asked : waitAfter(attempt, backoff), longestWait);
}
