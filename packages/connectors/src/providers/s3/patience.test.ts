import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDialer } from '../../kit/net/dialer.ts';
import { createS3Client } from './client.ts';
import { parseS3Config } from './config.ts';
import { createS3Store } from './store.ts';

/** Opens a store whose server leaves every request except listings to the test. */
async function waitingStore(t: TestContext) {
  const server = createServer((request, response) => void request.resume().on('end', () => server.emit('asked', response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseS3Config({ bucketName: 'photos', key: 'AKID', secret: 'secret', region: 'us-east-1', host }, 'S3Compat');
  const client = createS3Client(config, {
    dialer: createDialer({ privateNetworks: 'allow' }),
    maxConnections: 2,
    recallRegion: async () => undefined,
    rememberRegion: async () => undefined,
  });
  t.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const asked = async (): Promise<ServerResponse> => (await once(server, 'asked'))[0];
  return { store: createS3Store(client, config), asked };
}

const minutes = 60_000;
const ask = { signal: new AbortController().signal };
const deleted = '<DeleteResult></DeleteResult>';

test('a service may take minutes to copy a large object, or to delete a thousand', async (t) => {
  const { store, asked } = await waitingStore(t);
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    copy: () => store.copy({ key: 'film.mkv', size: 5_000_000_000 }, 'copy.mkv', ask),
    remove: () => store.remove(['a', 'b'], ask),
  };
  for (const [what, work] of Object.entries(works)) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const coming = asked();
    const done = work();
    const response = await coming;
    t.mock.timers.tick(5 * minutes);
    response.end(deleted);
    await assert.doesNotReject(done, what);
    t.mock.timers.reset();
  }
});
