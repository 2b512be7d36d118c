import { type Rclone, serveCombined, startCombinedControl } from './rclone.ts';
import type { BenchServer } from './servers/server.ts';
import { startWebdavServer } from './servers/webdav.ts';

/** rclone in Sheaf's place: before several storages at once. */
export interface Peer extends Rclone {
  /** Where the measured server's start folder is: below the address, or below `bench:`. */
  readonly folder: string;
}

const start = {
  http: serveCombined.bind(undefined, 'http'),
  webdav: serveCombined.bind(undefined, 'webdav'),
  control: startCombinedControl,
} as const;

/**
 * Starts rclone over the measured server and another one, a WebDAV server that nobody asks anything: with one storage alone it would do less than Sheaf does, which has
 * all of a user's in one place. Undefined where rclone does not know the protocol.
 */
export async function startPeer(kind: keyof typeof start, { remote, remoteFolder }: BenchServer): Promise<Peer | undefined> {
  if (!remote) return undefined;
  const other = await startWebdavServer();
  const storages = { measured: { remote, folder: remoteFolder }, ...(other.remote && { other: { remote: other.remote, folder: '' } }) };
  const rclone = await start[kind](storages);
  return {
    ...rclone,
    folder: 'measured',
    async stop() {
      await rclone.stop();
      await other.stop();
    },
  };
}
