import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type FileServer, certificateFor, freePort, makeAuthority, startFileServer } from '@sheaf/testbed';
import { createDialer } from '../../kit/net/dialer.ts';
import { ofs, sheafgateway } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };
const authority = await makeAuthority();
setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);

type Login = Pick<FileServer, 'user' | 'password' | 'connection'>;
const ways = {
  'a file server': (server: string, { user, password }: Login) => ofs.open(ofs.parse({ server, username: user, password }, 'OFS'), env),
  'a gateway': (server: string, { connection }: Login) =>
    sheafgateway.open(sheafgateway.parse({ server, authjson: connection }, 'SheafGateway'), env),
};

for (const [what, open] of Object.entries(ways)) {
  test(`${what} is reached over TLS when its certificate is right`, async (t) => {
    const server = await startFileServer({ tls: await certificateFor('127.0.0.1', authority) });
    t.after(() => server.stop());
    assert.equal((await (await open(server.url, server)).stat('/', ask())).kind, 'folder');
  });

  for (const [title, host, signed, options, kind] of [
    ['the certificate of another host', 'other.example', true, {}, 'certificateName'],
    ['a certificate that nobody signed', '127.0.0.1', false, {}, 'certificateMissing'],
    ['an expired certificate', '127.0.0.1', true, { expired: true }, 'certificateMissing'],
  ] as const)
    test(`${what} that has ${title} is reported as such`, async (t) => {
      const server = await startFileServer({ tls: await certificateFor(host, signed ? authority : undefined, options) });
      t.after(() => server.stop());
      await assert.rejects((await open(server.url, server)).stat('/', ask()), { kind });
    });

  test(`${what} without TLS has no certificate for https, and one that is not there cannot be reached`, async (t) => {
    const server = await startFileServer();
    t.after(() => server.stop());
    await assert.rejects((await open(`https://127.0.0.1:${server.port}`, server)).stat('/', ask()), { kind: 'certificateMissing' });
    await assert.rejects((await open(`http://127.0.0.1:${await freePort()}`, server)).stat('/', ask()), { kind: 'unreachable' });
  });
}

test('a bare name and port of a file server means https', async (t) => {
  const server = await startFileServer({ tls: await certificateFor('127.0.0.1', authority) });
  t.after(() => server.stop());
  const connector = await ways['a file server'](`127.0.0.1:${server.port}`, server);
  assert.equal((await connector.stat('/', ask())).kind, 'folder');
});
