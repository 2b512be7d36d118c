import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createDialer } from '../../kit/net/dialer.ts';
import { sheafgateway } from './index.ts';

const key = JSON.stringify({ sheafGateway: 1, id: 'one', secret: 'two' });

test('a listing with a name that no item of a folder can have is refused', async (t) => {
  let name = 'fine';
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('/info')) response.end(JSON.stringify({ protocol: 1, capabilities: ['list', 'stat', 'read'] }));
    else response.end(`${JSON.stringify({ name, kind: 'folder', modified: 1 })}\n{"end":true}\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const info = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authjson: key };
  const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };
  const connector = await sheafgateway.open(sheafgateway.parse(info, 'SheafGateway'), env);
  t.after(async () => {
    await connector.close();
    server.close();
  });
  const listed = () => Array.fromAsync(connector.list('/', { signal: AbortSignal.timeout(10_000) }));
  assert.equal((await listed()).flat()[0]?.name, 'fine');
  // An empty name would be the folder itself and cause infinite recursion.
  for (name of ['', '.', '..', 'a/b', 'a\0b']) await assert.rejects(listed(), { kind: 'unexpected' }, JSON.stringify(name));
});
