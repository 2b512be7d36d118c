import { Type } from 'typebox';
import type { CallOptions } from '../../../core/connector.ts';
import { isKind } from '../../../core/error.ts';
import type { Hints, ReadHint, Subscription, SubscriptionWish } from '../../../core/hints/hints.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import type { Graph } from '../account/client.ts';
import type { DriveTree } from './items.ts';
import { basesUnder } from './places.ts';

/** https://learn.microsoft.com/graph/api/resources/subscription */
const Made = Type.Object({ id: Type.String({ minLength: 1 }), expirationDateTime: Type.String() });
const Handle = Type.Array(Type.String());

/**
 * Lifetime of a subscription in ms. Microsoft allows about 29 days for a drive; a shorter one limits how long a subscription that Sheaf has
 * lost, for example after a crash, continues.
 */
const lasting = 3 * 86_400_000;
/** Maximum number of a link's drives with a subscription: each takes a request, also for its renewal. */
const mostDrives = 10;

/**
 * Subscriptions to the account's drive, or to the libraries of its sites:
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export function createSubscriptions(graph: Graph, tree: DriveTree): Hints {
  const addressOf = (id: string): string => `/subscriptions/${encodeURIComponent(id)}`;
  const end = (): string => new Date(Date.now() + lasting).toISOString();

  async function remove(id: string, { signal }: CallOptions): Promise<void> {
    const response = await graph.send({ method: 'DELETE', url: addressOf(id), signal, accepts: [404] });
    await response.discard();
  }

  /** Extends all of them; returns false when one has ended. */
  async function prolong(ids: readonly string[], expirationDateTime: string, { signal }: CallOptions): Promise<boolean> {
    for (const id of ids) {
      const response = await graph.send({ method: 'PATCH', url: addressOf(id), json: { expirationDateTime }, signal, accepts: [404] });
      await response.discard();
      if (response.status === 404) return false;
    }
    return ids.length > 0;
  }

  async function make({ address, secret }: SubscriptionWish, ask: CallOptions): Promise<Subscription> {
    const ids: string[] = [];
    let expiresAt = Infinity;
    try {
      for (const { inside } of (await basesUnder(tree, '/', ask)).slice(0, mostDrives)) {
        const made = await graph.json(Made, {
          method: 'POST',
          url: '/subscriptions',
          json: {
            // The only change type that the root of a drive reports.
            changeType: 'updated',
            notificationUrl: address,
            lifecycleNotificationUrl: address,
            resource: `${inside.drive}/root`,
            expirationDateTime: end(),
            clientState: secret,
          },
          signal: ask.signal,
        });
        ids.push(made.id);
        expiresAt = Math.min(expiresAt, Date.parse(made.expirationDateTime) || 0);
      }
    } catch (error) {
      // Removes those created so far, whose ids would be lost. Subscriptions that cannot be removed expire by themselves.
      await Promise.allSettled(ids.map((id) => remove(id, ask)));
      throw error;
    }
    return { handle: JSON.stringify(ids), expiresAt: Math.min(expiresAt, Date.now() + lasting), isContinued: false };
  }

  return {
    async subscribe(wish, ask) {
      const { before } = wish;
      if (before === undefined) return make(wish, ask);
      const ids = parseJson(Handle, before);
      const until = end();
      if (await prolong(ids, until, ask)) return { handle: before, expiresAt: Date.parse(until), isContinued: true };
      // Microsoft refuses a second subscription to the same drive.
      for (const id of ids) await remove(id, ask);
      return make(wish, ask);
    },

    async unsubscribe(handle, ask) {
      for (const id of parseJson(Handle, handle)) await remove(id, ask);
    },
  };
}

const Notifications = Type.Object({
  value: Type.Array(
    Type.Object({
      clientState: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      lifecycleEvent: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
    { maxItems: 1000 },
  ),
});
/** Maximum bytes of the text with which Microsoft verifies the address. */
const longestEcho = 4096;

/** Each notification contains the secret as `clientState`; a lifecycle notification asks for the subscription's renewal. */
export const readGraphHint: ReadHint = ({ method, query, body }) => {
  const token = query.get('validationToken');
  if (method !== 'POST') return undefined;
  if (token !== null) return token.length <= longestEcho ? { shape: 'echo', text: token } : undefined;
  try {
    const { value } = parseJson(Notifications, Buffer.from(body).toString());
    const secrets = [...new Set(value.flatMap(({ clientState }) => clientState ?? []))];
    return { shape: 'secrets', secrets, isEnding: value.some(({ lifecycleEvent }) => lifecycleEvent) };
  } catch (error) {
    if (isKind(error, 'unexpected')) return undefined;
    throw error;
  }
};
