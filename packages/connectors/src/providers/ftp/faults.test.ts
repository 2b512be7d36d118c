import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type FtpServer, freePort, startProftpd, startProxy } from '@sheaf/testbed';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { passingTime } from '../../kit/testing/passing-time.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';
import { startScript } from './testing/script.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
let server: FtpServer;
before(async () => {
  server = await startProftpd();
  await writeFile(join(server.home, 'big'), randomBytes(8 * 1024 * 1024));
  await mkdir(join(server.home, 'outside'), { recursive: true });
});
after(() => server.stop());

const configFor = (port: number, more: Record<string, string> = {}) =>
  parseFtpConfig({ server: `127.0.0.1:${port}`, protocol: 'FTP', username: server.user, password: server.password, ...more });

test('a server that refuses connections is unreachable', async () => {
  await assert.rejects(openFtp(configFor(await freePort()), { dialer }).stat('/', ask()), { kind: 'unreachable' });
});

test('a silent server times out', async (t) => {
  const proxy = await startProxy({ target: { port: server.port } });
  t.after(() => proxy.stop());
  const endures = passingTime(t);
  const connector = openFtp(configFor(proxy.port), { dialer });
  await connector.stat('/', ask());
  proxy.hang();
  await assert.rejects(endures(connector.stat('/', ask())), { kind: 'timeout' });
  proxy.resume();
  assert.equal((await connector.stat('/', ask())).kind, 'folder');
  await connector.close();
});

test('a control connection cut between two calls is replaced by the next', async (t) => {
  const proxy = await startProxy({ target: { port: server.port } });
  t.after(() => proxy.stop());
  const connector = openFtp(configFor(proxy.port), { dialer });
  await connector.stat('/', ask());
  const control = proxy.connections();
  assert.equal(control, 1);
  proxy.cut();
  await assert.doesNotReject(async () => {
    await connector.stat('/', ask()).catch((error: unknown) => {
      assert.ok(error instanceof Error && 'retryable' in error && error.retryable === true);
    });
    await connector.stat('/', ask());
  });
  await connector.close();
});

test('a web server, which waits for a request, gets one and is reported as such', async (t) => {
  const web = createWebServer((_, response) => response.end('hello'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.after(() => web.close());
  const { port } = web.address() as AddressInfo;
  await assert.rejects(openFtp(configFor(port), { dialer }).stat('/', ask()), {
    kind: 'wrongProtocol',
    details: { protocol: 'FTP', problem: 'http' },
  });
});

test('a program that is not an FTP server is distinguished from one that does not respond', async (t) => {
  const port = await startScript(t, ['SSH-2.0-OpenSSH_9.2']);
  await assert.rejects(openFtp(configFor(port), { dialer }).stat('/', ask()), { kind: 'wrongProtocol' });
  const silent = await startScript(t, []);
  const endures = passingTime(t);
  await assert.rejects(endures(openFtp(configFor(silent), { dialer }).stat('/', ask())), { kind: 'timeout' });
});

test('a full server is reported as rate limited', async (t) => {
  const port = await startScript(t, ['421 Too many users']);
  await assert.rejects(openFtp(configFor(port), { dialer }).stat('/', ask()), { kind: 'rateLimited', retryable: true });
});

test('a file that ends early is interrupted, whatever the server says', async (t) => {
  const data = createServer((socket) => socket.end('only this'));
  await new Promise<void>((resolve) => data.listen(0, '127.0.0.1', resolve));
  t.after(() => data.close());
  const address = data.address();
  const dataPort = address === null || typeof address === 'string' ? 0 : address.port;
  const port = await startScript(t, [
    '220 Liar',
    '331 go on',
    '230 welcome',
    '500 FEAT?',
    '200 binary',
    '257 "/"',
    '550 no folder',
    '213 1000',
    '213 20261121061600',
    `229 (|||${dataPort}|)`,
    '150 here it comes\r\n226 all sent',
  ]);
  const connector = openFtp(configFor(port), { dialer });
  await assert.rejects(collect(await connector.read('/big', ask())), { kind: 'interrupted' });
  await connector.close();
});

test('a passive address elsewhere is ignored: data goes to the server of the login', async (t) => {
  const port = await startScript(t, [
    '220 Hi',
    '331 go on',
    '230 welcome',
    '500 FEAT?',
    '200 binary',
    '257 "/"',
    '250 entered',
    '500 EPSV?',
    '227 (10,255,255,1,0,9)',
    '150 go',
  ]);
  const connector = openFtp(configFor(port), {
    dialer: { ...dialer, connect: (target) => (assert.notEqual(target.host, '10.255.255.1'), dialer.connect(target)) },
  });
  await assert.rejects(
    async () => {
      for await (const batch of connector.list('/', ask())) assert.fail(`listed ${batch.length}`);
    },
    { kind: 'unreachable' },
  );
  await connector.close();
});

test('an upload interrupted half-way leaves the old file and no partial one', async (t) => {
  await writeFile(join(server.home, 'precious'), 'the only copy');
  const proxy = await startProxy({ target: { port: server.port } });
  t.after(() => proxy.stop());
  const connector = openFtp(configFor(proxy.port), { dialer });
  async function* pieces() {
    for (let piece = 0; piece < 20; piece++) {
      yield Buffer.alloc(100_000, 'x');
      if (piece === 10) proxy.cut();
    }
    throw new Error('the browser left as well');
  }
  await assert.rejects(connector.write?.('/precious', Readable.from(pieces()), { ...ask(), ifExists: 'replace' }) ?? Promise.resolve());
  assert.equal(await readFile(join(server.home, 'precious'), 'utf8'), 'the only copy');
  assert.deepEqual(
    (await readdir(server.home)).filter((name) => name.startsWith('.sheaf')),
    [],
  );
  await connector.close();
});

test('eight readers share two connections and each gets its own bytes', async () => {
  const connector = openFtp(configFor(server.port, { numConcurrentConnections: '2' }), { dialer });
  const whole = await readFile(join(server.home, 'big'));
  const sum = createHash('sha256').update(whole).digest('hex');
  const sums = await Promise.all(
    Array.from({ length: 8 }, async () =>
      createHash('sha256')
        .update(await collect(await connector.read('/big', ask())))
        .digest('hex'),
    ),
  );
  assert.deepEqual(new Set(sums), new Set([sum]));
  await connector.close();
});

test('the start folder bounds the link, and a relative one starts where the login leads', async () => {
  await writeFile(join(server.home, 'outside', 'inside'), 'x');
  const connector = openFtp(configFor(server.port, { path: 'outside' }), { dialer });
  const names: string[] = [];
  for await (const batch of connector.list('/', ask())) names.push(...batch.map((entry) => entry.name));
  assert.deepEqual(names, ['inside']);
  await connector.close();
});
