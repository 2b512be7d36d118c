import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { KnownDeviceStore } from './known-device-store.ts';

/** Seconds after which an unused browser is forgotten. */
const keptFor = 365 * 86_400;

interface Deps {
  readonly store: KnownDeviceStore;
  readonly now: Clock;
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/** Recognises browsers that have signed in to an account before, by a random token in a cookie of which only the hash is stored. */
export function createKnownDevices({ store, now }: Deps) {
  return {
    isKnown: async (accountId: string, token: string | undefined): Promise<boolean> =>
      token !== undefined && (await store.has(accountId, hashToken(token), now() - keptFor)),

    /** Records a sign-in; returns the token for the browser's cookie, keeping the one it has. */
    async remember(accountId: string, token = newToken()): Promise<string> {
      await store.add(accountId, hashToken(token), now());
      return token;
    },

    sweep: () => store.removeUnused(now() - keptFor),
  };
}
