import { appError } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Recurly } from '#/billing/provider/recurly.ts';
import { isFromRecurly, readNotification } from '#/billing/provider/webhook.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import type { Clock } from '#/platform/clock.ts';

interface Deps {
  readonly subscriptions: Pick<Subscriptions, 'settleAccount' | 'settleSubscription'>;
  /** Set only where Recurly bills. */
  readonly recurly: Recurly | undefined;
  /** Key of the signatures. */
  readonly key: string;
  readonly now: Clock;
  readonly later: (name: string, task: () => Promise<void>) => void;
}

/** Path of the endpoint for Recurly's JSON notifications. */
export const notificationPath = '/webhooks/recurly';
/** Most bytes of a notification: it only names an object. */
const longest = 16_384;

/**
 * Route for Recurly's notifications. Only signed ones are accepted, and they only trigger a lookup at Recurly: a notification that is repeated, late
 * or out of order does no harm.
 */
export function notificationRoutes(app: FastifyInstance, { subscriptions, recurly, key, now, later }: Deps): void {
  async function look(body: Buffer): Promise<void> {
    const { objectType, id, accountCode } = readNotification(body) ?? {};
    if (id === undefined || objectType === undefined) return;
    if (accountCode !== undefined) return subscriptions.settleAccount(accountCode);
    if (objectType === 'subscription') return subscriptions.settleSubscription(id);
    if (!objectType.endsWith('invoice')) return;
    const account = await recurly?.accountOfInvoice(id);
    if (account !== undefined) await subscriptions.settleAccount(account);
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: longest }, async (_request: unknown, body: string | Buffer) => body);
    scope.post(notificationPath, async (request, reply) => {
      const { body, headers } = request;
      const signature = headers['recurly-signature'];
      if (!recurly) throw appError('NOT_FOUND', {});
      if (!Buffer.isBuffer(body) || typeof signature !== 'string' || !isFromRecurly(signature, body, key, now()))
        return reply.code(401).send();
      // Recurly waits five seconds for an answer; the lookup may take longer.
      later('notification of Recurly', () => look(body));
      return reply.code(204).send();
    });
  });
}
