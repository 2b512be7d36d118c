import { randomUUID } from 'node:crypto';
import type { Account, Handler, Webhooks } from '../kit/index.ts';
import type { Drive } from './drive.ts';
import { invalidRequest, itemNotFound, refused } from './replies.ts';
import { type World, driveOf } from './state.ts';

interface Subscription {
  readonly id: string;
  readonly notificationUrl: string;
  readonly lifecycleNotificationUrl: string | undefined;
  readonly clientState: string;
  readonly resource: string;
  readonly drive: Drive;
  readonly account: Account;
  expires: number;
}

/** The longest life of a subscription to a drive, ms: https://learn.microsoft.com/graph/api/resources/subscription */
const longest = 42_300 * 60_000;

/** Subscriptions to drives. */
export function createSubscriptions(world: World, webhooks: Webhooks) {
  const subscriptions = new Map<string, Subscription>();
  const heard = new WeakSet<Drive>();

  const tell = (address: string, one: Subscription, more: object): void =>
    webhooks.notify(address, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        value: [
          {
            subscriptionId: one.id,
            subscriptionExpirationDateTime: new Date(one.expires).toISOString(),
            clientState: one.clientState,
            tenantId: '',
            resource: one.resource,
            ...more,
          },
        ],
      }),
    });

  const isOpen = ({ expires }: Subscription): boolean => expires > Date.now();

  function follow(drive: Drive): void {
    if (heard.has(drive)) return;
    heard.add(drive);
    drive.onChange(() => {
      for (const one of subscriptions.values())
        if (one.drive === drive && isOpen(one)) tell(one.notificationUrl, one, { changeType: 'updated', resourceData: null });
    });
  }

  function untilOf(text: string): number {
    const expires = Date.parse(text);
    if (!(expires > Date.now())) throw invalidRequest('Subscription expiration must be in the future.');
    if (expires > Date.now() + longest + 60_000) throw invalidRequest('Subscription expiration can only be 42300 minutes in the future.');
    return expires;
  }

  const find = (id = '', account: Account): Subscription => {
    const found = subscriptions.get(id);
    if (!found || !isOpen(found) || found.account.id !== account.id) throw itemNotFound();
    return found;
  };

  const toJson = (one: Subscription): object => ({
    id: one.id,
    changeType: 'updated',
    clientState: one.clientState,
    notificationUrl: one.notificationUrl,
    lifecycleNotificationUrl: one.lifecycleNotificationUrl ?? null,
    resource: one.resource,
    expirationDateTime: new Date(one.expires).toISOString(),
  });

  /** The address has to send the token back as it is, within ten seconds. */
  async function validate(address: string): Promise<void> {
    const token = `Validation: Testing client application reachability ✓ ${randomUUID()}`;
    if (URL.parse(address)?.protocol !== 'https:') throw invalidRequest('Notification URL must use the HTTPS protocol.');
    const { status, text } = await webhooks.send(`${address}?validationToken=${encodeURIComponent(token)}`, {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    if (status !== 200 || text !== token) throw invalidRequest('Subscription validation request failed.');
  }

  const make: Handler = async (request) => {
    const wish = request.json<Readonly<Record<string, string | undefined>>>();
    const { changeType, notificationUrl = '', lifecycleNotificationUrl, resource = '', expirationDateTime = '', clientState = '' } = wish;
    if (changeType !== 'updated') throw invalidRequest('The root of a drive supports only the change type updated.');
    const expires = untilOf(expirationDateTime);
    const [, id] = /^\/?(?:drives\/([^/]+)|me\/drive)\/root$/.exec(resource) ?? notADrive(resource);
    const drive = id === undefined ? driveOf(world, request.account) : world.drives.get(id);
    if (!drive?.accounts.includes(request.account.id)) throw itemNotFound();
    if ([...subscriptions.values()].some((one) => isOpen(one) && one.resource === resource && one.account.id === request.account.id))
      throw refused(409, 'Conflict', 'Duplicate subscriptions are not allowed.');
    await validate(notificationUrl);
    if (lifecycleNotificationUrl !== undefined) await validate(lifecycleNotificationUrl);
    const { account } = request;
    const one = { id: randomUUID(), notificationUrl, lifecycleNotificationUrl, clientState, resource, drive, account, expires };
    subscriptions.set(one.id, one);
    follow(drive);
    return { status: 201, json: toJson(one) };
  };

  return {
    routes: {
      'POST /subscriptions': make,
      'PATCH /subscriptions/{subscription-id}': (request) => {
        const one = find(request.params['subscription-id'], request.account);
        one.expires = untilOf(request.json<{ expirationDateTime: string }>().expirationDateTime);
        return { json: toJson(one) };
      },
      'DELETE /subscriptions/{subscription-id}': (request) => {
        subscriptions.delete(find(request.params['subscription-id'], request.account).id);
        return { status: 204 };
      },
    } satisfies Readonly<Record<string, Handler>>,
    open: (): readonly Subscription[] => [...subscriptions.values()].filter(isOpen),
    /** Asks the client to authorize its subscriptions again. */
    askAgain(): void {
      for (const one of subscriptions.values())
        if (one.lifecycleNotificationUrl !== undefined)
          tell(one.lifecycleNotificationUrl, one, { lifecycleEvent: 'reauthorizationRequired' });
    },
  };
}

const notADrive = (resource: string): never => {
  throw invalidRequest(`The simulator has no subscriptions to ${resource}.`);
};
