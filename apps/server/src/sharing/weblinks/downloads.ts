import { createHmac, hkdfSync } from 'node:crypto';
import { appError } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { WeblinkRow, WeblinkStore } from './store.ts';

/** Seconds in which a network that gets a file again, or its rest, counts once. */
const countedFor = 3600;

export type Downloads = ReturnType<typeof createDownloads>;

/** Counts the downloads of shares that have a limit. */
export function createDownloads(store: Pick<WeblinkStore, 'countDownload'>, masterKey: Buffer, now: Clock) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'sheaf weblink download', 32));
  const mac = (...facts: readonly unknown[]): string => createHmac('sha256', key).update(JSON.stringify(facts)).digest('base64url');
  return {
    /** Stands for the network of a share's visitor where it is stored. */
    visitorOf: ({ id }: Pick<WeblinkRow, 'id'>, network: string): string => mac(id, network),

    /** Rejects with WEBLINK_USED_UP when the limit is reached. `what` is the path of a file, the paths of an archive, or what is known of a file that is uploaded. */
    async count({ id, downloadLimit }: WeblinkRow, network: string, what: string | readonly string[]): Promise<void> {
      if (downloadLimit === null) return;
      const at = now();
      if (!(await store.countDownload(id, { key: mac(id, network, what), at, since: at - countedFor })))
        throw appError('WEBLINK_USED_UP', {});
    },
  };
}

/** Whether all allowed downloads were made. */
export const isUsedUp = ({ downloadLimit, downloads }: Pick<WeblinkRow, 'downloadLimit' | 'downloads'>): boolean =>
  downloadLimit !== null && downloads >= downloadLimit;
