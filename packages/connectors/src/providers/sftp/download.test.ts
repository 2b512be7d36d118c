import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startOpenssh } from '@sheaf/testbed';
import { collect } from '../../kit/body/body.ts';
import { openDownload } from './download.ts';
import type { Connection } from './session/connection.ts';
import { connectTestLink } from './testing/link.ts';

test('a file replaced while further channels are opened for it is returned in its old version, not mixed with the new one', async (t) => {
  const server = await startOpenssh();
  t.after(() => server.stop());
  const bytes = (letter: string, count = 16 * 1024 * 1024) => Buffer.alloc(count, letter);
  await writeFile(join(server.home, 'file'), bytes('a'));
  await writeFile(join(server.home, 'new'), bytes('b', 17 * 1024 * 1024));
  const connection = await connectTestLink(server);
  t.after(() => connection.close());
  const { commands } = connection;
  const replaced: Connection = {
    ...connection,
    // Simulates a high latency, where additional channels pay off.
    commands: { ...commands, session: { ...commands.session, roundTrip: () => 20 } },
    async lanes(count) {
      await rename(join(server.home, 'new'), join(server.home, 'file'));
      return connection.lanes(count);
    },
  };
  const lease = { connection: replaced, release: () => undefined };
  const body = await openDownload(lease, Buffer.from('./file'), undefined, AbortSignal.timeout(20_000));
  assert.ok((await collect(body)).equals(bytes('a')));
});
