import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Hints, ReadHint } from '../../../../core/hints/hints.ts';
import { parseJson } from '../../../../kit/rest/json.ts';
import type { DriveClient } from '../client.ts';

/** A notification channel: https://developers.google.com/workspace/drive/api/guides/push */
const Channel = Type.Object({
  id: Type.String({ minLength: 1 }),
  resourceId: Type.String({ minLength: 1 }),
  /** Epoch milliseconds as a string. */
  expiration: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
});
const Handle = Type.Object({ id: Type.String(), resourceId: Type.String() });

/**
 * Lifetime of a channel in ms. Google allows seven days; a shorter one limits how long a channel that Sheaf has lost, for example after a
 * crash, continues.
 */
const lasting = 3 * 86_400_000;
/** Lifetime in ms of a channel for which Google reports no end: Google's default. */
const usual = 3_600_000;

/** Notification channels for changes of the account. Google cannot extend a channel: a new one replaces it. */
export function createChannels({ api }: DriveClient, pageToken: (signal: AbortSignal) => Promise<string>): Hints {
  async function stop(handle: string, signal: AbortSignal): Promise<void> {
    const { id, resourceId } = parseJson(Handle, handle);
    const json = { id, resourceId };
    const response = await api.send({ method: 'POST', url: '/drive/v3/channels/stop', json, signal, accepts: [404] });
    await response.discard();
  }

  return {
    async subscribe({ address, secret, before }, { signal }) {
      const asked = Date.now();
      const { id, resourceId, expiration } = await api.json(Channel, {
        method: 'POST',
        url: '/drive/v3/changes/watch',
        query: { pageToken: await pageToken(signal), supportsAllDrives: true, includeItemsFromAllDrives: true, includeRemoved: true },
        json: { id: randomUUID(), type: 'web_hook', address, token: secret, expiration: String(asked + lasting) },
        signal,
      });
      if (before !== undefined) await stop(before, signal);
      return {
        handle: JSON.stringify({ id, resourceId }),
        expiresAt: expiration === undefined ? asked + usual : Number(expiration),
        isContinued: false,
      };
    },

    async unsubscribe(handle, { signal }) {
      await stop(handle, signal);
    },
  };
}

/** Google's notifications consist of headers only: the channel's token is the secret. */
export const readChannelHint: ReadHint = ({ method, headers }) => {
  const token = headers['x-goog-channel-token'];
  if (method !== 'POST' || typeof token !== 'string' || headers['x-goog-channel-id'] === undefined) return undefined;
  return { shape: 'secrets', secrets: [token], isEnding: false };
};
