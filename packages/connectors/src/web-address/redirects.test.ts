import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDialer } from '../kit/net/dialer.ts';
import { openWebAddress } from './connector.ts';

/**
 * A server under the names `public.example` and `other.example`, while private addresses are refused, as on an installation with several
 * users.
 */
async function setting(t: TestContext, location: (port: number) => string) {
  const asked: { readonly host: string; readonly path: string; readonly authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { host = '', authorization } = request.headers;
    asked.push({ host: host.split(':')[0] ?? '', path: request.url ?? '', authorization });
    if (request.url === '/start') response.writeHead(302, { location: location(port) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.after(() => server.close());
  const here = createDialer({ privateNetworks: 'allow', resolve: async () => ['127.0.0.1'] });
  const guarded = createDialer({
    privateNetworks: 'deny',
    resolve: async (host) => [host === 'inside.example' ? '192.168.1.1' : '127.0.0.1'],
  });
  const dialer: typeof here = {
    ...guarded,
    connect: (target) => (['public.example', 'other.example'].includes(target.host) ? here : guarded).connect(target),
  };
  const open = (login: string) => openWebAddress({ address: new URL(`http://${login}public.example:${port}/start`), dialer });
  return { open, asked, port };
}
const ask = { signal: AbortSignal.timeout(30_000) };

for (const target of [
  'http://127.0.0.1:PORT/secret',
  'http://localhost:PORT/secret',
  'http://[::1]:PORT/secret',
  'http://[::ffff:7f00:1]:PORT/secret',
  'http://2130706433:PORT/secret',
  'http://inside.example:PORT/secret',
  'http://169.254.169.254/latest/meta-data',
  '//127.0.0.1:PORT/secret',
])
  test(`a redirect to ${target} reaches nothing private`, async (t) => {
    const { open, asked } = await setting(t, (port) => target.replace('PORT', String(port)));
    const connector = open('');
    t.after(() => connector.close());
    await assert.rejects(connector.stat('/', ask), { kind: 'unreachable' });
    await assert.rejects(connector.read('/', ask), { kind: 'unreachable' });
    assert.ok(asked.every(({ path }) => path === '/start'));
  });

test('user and password go to their own host only, also when the password contains a percent sign', async (t) => {
  const { open, asked } = await setting(t, (port) => `http://other.example:${port}/elsewhere`);
  const connector = open('mara:100%25%zz@');
  t.after(() => connector.close());
  await connector.stat('/', ask);
  const basic = `Basic ${Buffer.from('mara:100%25%zz').toString('base64')}`;
  assert.deepEqual(
    asked.map(({ host, authorization }) => [host, authorization]),
    [
      ['public.example', basic],
      ['other.example', undefined],
    ],
  );
});
