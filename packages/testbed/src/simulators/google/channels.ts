import type { Account, Handler, Webhooks } from '../kit/index.ts';
import { errorReply } from './refusals.ts';
import { type DriveState, newId } from './state.ts';

interface Channel {
  readonly id: string;
  readonly resourceId: string;
  readonly address: string;
  readonly token: string | undefined;
  readonly expiration: number;
  readonly account: Account;
  messages: number;
}

/** The longest life of a channel of changes, and the one of a channel that asks for none, ms: https://developers.google.com/workspace/drive/api/guides/push */
const [longest, usual] = [7 * 86_400_000, 3_600_000];

/** Notification channels of changes. */
export function createChannels(state: DriveState, webhooks: Webhooks) {
  const channels = new Map<string, Channel>();

  function tell(channel: Channel, resourceState: 'sync' | 'change'): void {
    channel.messages += 1;
    webhooks.notify(channel.address, {
      headers: {
        'content-length': '0',
        'x-goog-channel-id': channel.id,
        'x-goog-message-number': String(channel.messages),
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-state': resourceState,
        'x-goog-resource-uri': 'https://www.googleapis.com/drive/v3/changes?alt=json',
        'x-goog-channel-expiration': new Date(channel.expiration).toUTCString(),
        ...(channel.token !== undefined && { 'x-goog-channel-token': channel.token }),
      },
    });
  }

  state.onChange((node) => {
    for (const channel of channels.values())
      if (channel.expiration > Date.now() && state.maySee(channel.account, node)) tell(channel, 'change');
  });

  const watch: Handler = (request) => {
    const { id, type, address = '', token, expiration } = request.json<Readonly<Record<string, string>>>();
    if (request.query.get('pageToken') === null) return errorReply(400, 'required', 'Required parameter: pageToken');
    if (id === undefined || !/^[\w+/=-]{1,64}$/.test(id) || type !== 'web_hook') return errorReply(400, 'invalid', 'Invalid Value');
    if (channels.has(id)) return errorReply(400, 'channelIdNotUnique', `Channel id ${id} not unique`);
    if (URL.parse(address)?.protocol !== 'https:')
      return errorReply(400, 'push.webhookUrlNotHttps', `WebHook callback must be HTTPS: ${address}`);
    if (token !== undefined && token.length > 256) return errorReply(400, 'invalid', 'Invalid Value');
    const now = Date.now();
    const until = Math.min(expiration === undefined ? now + usual : Number(expiration), now + longest);
    const channel: Channel = { id, resourceId: newId(), address, token, expiration: until, account: request.account, messages: 0 };
    channels.set(id, channel);
    tell(channel, 'sync');
    return {
      json: {
        kind: 'api#channel',
        id,
        resourceId: channel.resourceId,
        resourceUri: 'https://www.googleapis.com/drive/v3/changes?alt=json',
        ...(token !== undefined && { token }),
        expiration: String(until),
      },
    };
  };

  const stop: Handler = (request) => {
    const { id = '', resourceId } = request.json<Readonly<Record<string, string>>>();
    const channel = channels.get(id);
    if (!channel || channel.resourceId !== resourceId || channel.account.id !== request.account.id)
      return errorReply(404, 'notFound', `Channel '${id}' not found for project`);
    channels.delete(id);
    return { status: 204 };
  };

  return {
    routes: { 'POST /drive/v3/changes/watch': watch, 'POST /drive/v3/channels/stop': stop } satisfies Readonly<Record<string, Handler>>,
    /** Channels that have not ended. */
    open: (): readonly Channel[] => [...channels.values()].filter(({ expiration }) => expiration > Date.now()),
  };
}
