import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Handler, type Reply, readDescription, startSimulator } from '../kit/index.ts';
import { refusal } from './replies.ts';
import { siteRoutes } from './routes.ts';
import { type TokenizedCard, createSite } from './state.ts';

export type { CardOutcome } from './state.ts';

const description = readDescription(join(import.meta.dirname, 'description.json'));

export type RecurlySite = Awaited<ReturnType<typeof startRecurly>>;

/**
 * Recurly's API v2021-02-25, one site without accounts: purchases, subscriptions that renew and become past due as its clock is advanced, invoices,
 * and signed notifications. As in the real service, a write with an Idempotency-Key is executed once.
 */
export async function startRecurly() {
  const site = createSite();
  const apiKey = randomUUID();
  const webhookKey: string = randomUUID();
  const answers = new Map<string, Reply>();

  /** Repeats the first response for the same key. */
  const once =
    (handler: Handler): Handler =>
    async (request) => {
      const sent = request.headers['idempotency-key'];
      if (request.method === 'GET' || typeof sent !== 'string') return handler(request);
      const key = `${sent} ${request.method} ${request.path}`;
      const before = answers.get(key);
      if (before) return { ...before, headers: { ...before.headers, 'idempotency-prior': 'true' } };
      const answer = await handler(request);
      answers.set(key, answer);
      return answer;
    };

  const simulator = await startSimulator({
    name: 'recurly',
    refusal,
    authenticate: ({ headers }) => {
      if (headers.authorization === undefined) return 'missing';
      const isOurs = headers.authorization === `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
      const account = { id: 'site', email: 'site@recurly.example', name: 'Site' };
      return isOurs ? { account, token: apiKey, scopes: [] } : 'invalid';
    },
    mounts: [
      {
        at: '',
        description,
        routes: Object.fromEntries(Object.entries(siteRoutes(site)).map(([key, handler]) => [key, once(handler)])),
        alsoStatuses: { 401: null, 409: null, 429: null, 500: null, 503: null },
      },
    ],
  });

  return {
    ...simulator,
    apiKey,
    webhookKey,
    moveClock: site.moveClock,
    accountOf: (code: string) => site.accounts.get(code),
    /** Simulates the browser script that exchanges a card for a token. */
    tokenize(outcome: TokenizedCard['outcome'], card: Partial<TokenizedCard> = {}): string {
      const token = randomUUID().replaceAll('-', '').slice(0, 22);
      site.tokens.set(token, { outcome, firstName: 'Mara', lastName: 'Lind', lastFour: '1111', month: 12, year: 2090, ...card });
      return token;
    },
    /** Builds a signed JSON notification as its endpoint receives it. `at` is in ms. */
    notify(notification: object, { key = webhookKey, at = Date.now() } = {}) {
      const body = JSON.stringify(notification);
      const signature = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
      return { body, headers: { 'content-type': 'application/json', 'recurly-signature': `${at},${signature}` } };
    },
  };
}
