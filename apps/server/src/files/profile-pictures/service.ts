import { type Dialer, createWholeBody, openWebAddress } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import { makePicture } from '../thumbnails/make-picture.ts';
import type { ProfilePictureStore } from './store.ts';

/** Most bytes of an original, and milliseconds for its arrival. */
const largestOriginal = 4 << 20;
const fetchTimeout = 15_000;
/** Edge in pixels: twice what screens show. */
const edge = 128;

interface Deps {
  readonly store: ProfilePictureStore;
  /** Keeps the settings of private networks: people may write any address into their profile at the provider. */
  readonly dialer: Dialer;
  readonly background: Background;
  readonly now: Clock;
  readonly onTrouble: (error: unknown) => void;
}

export type ProfilePictures = ReturnType<typeof createProfilePictures>;

/** People's pictures, which come from their sign-in provider. Only a small one of our own making is kept and shown. */
export function createProfilePictures({ store, dialer, background, now, onTrouble }: Deps) {
  async function take(accountId: string, address: string): Promise<void> {
    if (address === '') return store.remove(accountId);
    if (!URL.canParse(address) || (await store.addressOf(accountId)) === address) return undefined;
    const signal = AbortSignal.timeout(fetchTimeout);
    const connector = openWebAddress({ address: new URL(address), dialer });
    try {
      const body = await connector.read('/', { signal });
      const whole = createWholeBody(largestOriginal, () => appError('NO_PICTURE', { name: 'picture' }));
      try {
        await body.drain(async (chunk) => whole.add(chunk));
      } finally {
        body.cancel();
      }
      await store.put(accountId, address, await makePicture(whole.bytes(), edge), now());
    } finally {
      await connector.close();
    }
    return undefined;
  }

  return {
    /** Takes over the picture at that address, which may be empty, in the background. After a failure the next sign-in tries again. */
    follow(accountId: string, address: string): void {
      background.start('take over a picture', () => take(accountId, address).catch(onTrouble), `picture of ${accountId}`);
    },
    /** The WebP; undefined without one. */
    find: store.find,
  };
}
