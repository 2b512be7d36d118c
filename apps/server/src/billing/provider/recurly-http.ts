import { setTimeout as wait } from 'node:timers/promises';
import { readWhole } from '@sheaf/connectors';
import { HttpAdapter, HttpResponse } from 'recurly/lib/recurly/HttpAdapter.js';

/** The host that Recurly's library writes into addresses. */
const presetOrigin = 'https://v3.recurly.com';
/** ms for one try, and for everything together. */
const patience = { one: 20_000, all: 45_000 };
const tries = 3;
/** ms at most that Recurly's Retry-After is waited for. */
const longestWait = 5_000;

/**
 * How Recurly's library reaches Recurly: at the address of the settings, with deadlines. What did not arrive or was turned away for the moment is
 * tried again; a write carries the same Idempotency-Key each time, so that Recurly does it once (Recurly API v2021-02-25, Idempotent Requests).
 */
export class RecurlyHttp extends HttpAdapter {
  readonly #apiUrl: string;
  readonly #key: string;

  constructor(apiUrl: string, idempotencyKey: string) {
    super();
    this.#apiUrl = apiUrl.replace(/\/$/, '');
    this.#key = idempotencyKey;
  }

  override async execute(method: string, url: string, headers: Record<string, string>, body: string | null): Promise<HttpResponse> {
    const address = this.#apiUrl + url.slice(presetOrigin.length);
    const over = AbortSignal.timeout(patience.all);
    const all = { ...headers, ...(method !== 'GET' && { 'Idempotency-Key': this.#key }) };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await attempted(address, {
        method,
        headers: all,
        body,
        signal: AbortSignal.any([over, AbortSignal.timeout(patience.one)]),
      });
      const isLast = attempt === tries || over.aborted;
      if (answer instanceof Response && (isLast || !mayPass(answer)))
        return new HttpResponse(answer.status, Object.fromEntries(answer.headers), await textOf(answer));
      if (isLast) throw answer;
      await wait(pauseBefore(attempt, answer));
    }
  }
}

/** A page of Recurly's longest lists is far shorter. */
const longestAnswer = 16 * 1024 * 1024;

async function textOf({ body }: Response): Promise<string> {
  return body ? (await readWhole(body, longestAnswer)).toString('utf8') : '';
}

/** The answer, or why there is none. */
const attempted = (address: string, request: RequestInit): Promise<unknown> => fetch(address, request).catch((error: unknown) => error);

/** Busy, broken for the moment, or the same write is under way. */
const mayPass = ({ status, headers }: Response): boolean =>
  status === 429 || status >= 500 || (status === 409 && headers.get('recurly-should-retry') === 'true');

function pauseBefore(attempt: number, answer: unknown): number {
  const asked = answer instanceof Response ? Number(answer.headers.get('retry-after')) * 1000 : 0;
  return Math.min(asked > 0 ? asked : 200 * 2 ** attempt, longestWait);
}
