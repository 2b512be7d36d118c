import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  type Authority,
  type DavServer,
  certificateFor,
  freePort,
  makeAuthority,
  startApache,
  startNginx,
  startProxy,
} from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { type ConnectorErrorKind, isKind } from '../../core/error.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseWebdavConfig } from './config.ts';
import { connections, openWebdav } from './connector.ts';

const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };
const { signal } = new AbortController();
const cleanups: (() => Promise<void>)[] = [];
after(() => Promise.all(cleanups.map((cleanup) => cleanup())));

let authority: Authority;
before(async () => {
  authority = await makeAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);
});

async function started(start: Promise<DavServer>): Promise<DavServer> {
  const server = await start;
  cleanups.push(() => server.stop());
  return server;
}

function open(server: Pick<DavServer, 'url' | 'user' | 'password'>, info: Readonly<Record<string, string>> = {}): Connector {
  const given = { server: server.url, username: server.user, password: server.password, ...info };
  const connector = openWebdav(parseWebdavConfig(given, 'webdav'), env);
  cleanups.push(() => connector.close());
  return connector;
}

const rejects = (promise: Promise<unknown>, kind: ConnectorErrorKind): Promise<void> =>
  assert.rejects(promise, (error) => isKind(error, kind), `not ${kind}`);
const root = (connector: Connector) => connector.stat('/', { signal });

describe('WebDAV distinguishes why a server cannot be used', () => {
  it('a wrong password is unauthorized, with Basic and with Digest', async () => {
    for (const auth of ['basic', 'digest'] as const) {
      const server = await started(startApache({ auth }));
      assert.equal((await root(open(server, { authType: auth }))).kind, 'folder');
      await rejects(root(open(server, { authType: auth, password: 'wrong' })), 'unauthorized');
      await rejects(root(open(server, { authType: auth, username: 'nobody' })), 'unauthorized');
    }
    await rejects(root(open(await started(startNginx()), { password: 'wrong' })), 'unauthorized');
  });

  it('a server that wants the other scheme is authType', async () => {
    await rejects(root(open(await started(startApache({ auth: 'digest' })), { authType: 'basic' })), 'authType');
    await rejects(root(open(await started(startApache({ auth: 'basic' })), { authType: 'digest' })), 'authType');
    await rejects(root(open(await started(startNginx()), { authType: 'digest' })), 'authType');
  });

  it('a certificate of a trusted authority is accepted', async () => {
    const server = await started(startApache({ tls: await certificateFor('127.0.0.1', authority) }));
    assert.equal((await root(open(server))).kind, 'folder');
  });

  it('a self-signed, expired or foreign certificate is certificateMissing, one of another host certificateName; any is accepted when verification is off', async () => {
    const stranger = await makeAuthority();
    for (const [certificate, kind] of [
      [await certificateFor('127.0.0.1'), 'certificateMissing'],
      [await certificateFor('127.0.0.1', stranger), 'certificateMissing'],
      [await certificateFor('127.0.0.1', authority, { expired: true }), 'certificateMissing'],
      [await certificateFor('other.example', authority), 'certificateName'],
    ] as const) {
      const server = await started(startApache({ tls: certificate }));
      await rejects(root(open(server)), kind);
      assert.equal((await root(open(server, { enforceSSL: 'IGNORE_MATCH' }))).kind, 'folder');
    }
  });

  it('a server without TLS where TLS is expected is certificateMissing', async () => {
    const server = await started(startNginx());
    await rejects(root(open({ ...server, url: server.url.replace('http:', 'https:') })), 'certificateMissing');
  });

  it('a closed port, and a name without an address, are unreachable', async () => {
    const login = { user: 'mara', password: 'x' };
    await rejects(root(open({ ...login, url: `http://127.0.0.1:${await freePort()}` })), 'unreachable');
    await rejects(root(open({ ...login, url: 'http://nowhere.invalid' })), 'unreachable');
  });

  it('a web server that does not speak WebDAV is reported as such, a missing path is notFound', async () => {
    const plain = createServer((_request, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
    cleanups.push(async () => void plain.close());
    await once(plain, 'listening');
    const address = plain.address();
    assert.ok(address && typeof address === 'object');
    await rejects(root(open({ url: `http://127.0.0.1:${address.port}`, user: 'mara', password: 'x' })), 'wrongProtocol');
    const server = await started(startNginx());
    await rejects(root(open({ ...server, url: `${server.url}/missing` })), 'notFound');
  });

  it('files without access permission are forbidden', async () => {
    const server = await started(startNginx());
    await mkdir(join(server.home, 'closed'));
    await writeFile(join(server.home, 'secret'), 'x');
    await chmod(join(server.home, 'secret'), 0o600);
    const connector = open(server);
    await rejects(connector.read('/secret', { signal }), 'forbidden');
    await rejects(connector.createFolder?.('/closed/new', { signal }) ?? Promise.resolve(), 'forbidden');
  });
});

describe('WebDAV over an unreliable connection', () => {
  it('a link never uses more connections than its limit', async () => {
    const server = await started(startNginx());
    for (let index = 0; index < 20; index += 1) await writeFile(join(server.home, `file ${index}`), 'x'.repeat(100_000));
    const proxy = await startProxy({ target: server });
    cleanups.push(() => proxy.stop());
    const connector = open({ ...server, url: `http://127.0.0.1:${proxy.port}` });
    const reads = Array.from(
      { length: 20 },
      async (_, index) => (await collect(await connector.read(`/file ${index}`, { signal }))).length,
    );
    const stats = Array.from({ length: 20 }, async (_, index) => (await connector.stat(`/file ${index}`, { signal })).size);
    assert.deepEqual([...new Set(await Promise.all([...reads, ...stats]))], [100_000]);
    assert.equal(proxy.connectionsPeak(), connections);
  });

  it('an incomplete download is interrupted, and the next call works', async () => {
    const server = await started(startApache());
    await writeFile(join(server.home, 'big'), Buffer.alloc(20_000_000));
    const proxy = await startProxy({ target: server });
    cleanups.push(() => proxy.stop());
    const connector = open({ ...server, url: `http://127.0.0.1:${proxy.port}/dav` });
    proxy.cutAfter(5_000_000);
    await rejects(connector.read('/big', { signal }).then(collect), 'interrupted');
    proxy.cutAfter(undefined);
    assert.equal((await collect(await connector.read('/big', { signal }))).length, 20_000_000);
  });

  it('a hanging server is abandoned when the call is aborted', async () => {
    const server = await started(startNginx());
    const proxy = await startProxy({ target: server });
    cleanups.push(() => proxy.stop());
    const connector = open({ ...server, url: `http://127.0.0.1:${proxy.port}` });
    await root(connector);
    proxy.hang();
    await rejects(connector.stat('/', { signal: AbortSignal.timeout(100) }), 'aborted');
  });
});
