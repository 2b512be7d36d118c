import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { TLSSocket } from 'node:tls';
import { certificateFor } from '@sheaf/testbed';
import { createHttp } from '../http/http-client.ts';
import { createDialer } from '../net/dialer.ts';
import { collect } from './body.ts';

it('bodies come through TLS unchanged, and a second connection resumes the session of the first', async () => {
  const { pem } = await certificateFor('127.0.0.1');
  const bytes = Buffer.alloc(5_000_000, 'the quick brown fox');
  const resumed: boolean[] = [];
  const server = createServer({ key: pem.key, cert: pem.certificate }, (request, response) => {
    assert.ok(request.socket instanceof TLSSocket);
    resumed.push(request.socket.isSessionReused());
    response.setHeader('connection', 'close').end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createHttp({ origin, dialer: createDialer({ privateNetworks: 'allow' }), verify: async () => undefined });
  for (let round = 0; round < 2; round += 1) {
    const response = await client.request({ method: 'GET', path: '/', signal: AbortSignal.timeout(10_000) });
    assert.ok(bytes.equals(await collect(response.body())));
  }
  assert.deepEqual(resumed, [false, true]);
  client.close();
  server.close();
});
