import assert from 'node:assert/strict';
import { chmod, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type FtpServer, startProftpd, startVsftpd } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';
import { startScript } from './testing/script.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });

function open(
  t: TestContext,
  { port, user, password }: Pick<FtpServer, 'port' | 'user' | 'password'>,
  numConcurrentConnections = '5',
): Connector {
  const config = parseFtpConfig({ server: `127.0.0.1:${port}`, protocol: 'FTP', username: user, password, numConcurrentConnections });
  const connector = openFtp(config, { dialer });
  t.after(() => connector.close());
  return connector;
}

const put = async (connector: Connector, path: string, body: Readable) => connector.write?.(path, body, { ...ask(), ifExists: 'replace' });

const limits = [
  ['ProFTPD with MaxClientsPerHost', () => startProftpd({ extra: ['MaxClientsPerHost 2'] })],
  ['ProFTPD with MaxConnectionsPerHost', () => startProftpd({ extra: ['MaxConnectionsPerHost 2'] })],
  ['vsftpd with max_per_ip', () => startVsftpd({ extra: ['max_per_ip=2'] })],
] as const;

for (const [title, start] of limits)
  test(`${title}: concurrent calls all succeed over the connections that the server allows`, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    await chmod(server.home, 0o777);
    const connector = open(t, server);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await Promise.all(names.map((name) => put(connector, `/${name}`, Readable.from([Buffer.from(name)]))));
    assert.deepEqual((await readdir(server.home)).sort(), names);
  });

test('a login refused because another program uses all connections is not reported as wrong credentials', async (t) => {
  const server = await startProftpd({ extra: ['MaxClientsPerHost 1'] });
  t.after(() => server.stop());
  await open(t, server).stat('/', ask());
  await assert.rejects(open(t, server).stat('/', ask()), { kind: 'rateLimited', retryable: true });
});

/** Starts a server that aborts every upload with that reply. */
async function breakingOff(t: TestContext, reply: string): Promise<number> {
  const data = createServer((socket) => socket.once('data', () => socket.destroy()).on('error', () => undefined));
  await new Promise<void>((resolve) => data.listen(0, '127.0.0.1', resolve));
  t.after(() => data.close());
  const { port } = data.address() as AddressInfo;
  const login = ['220 Hi', '331 go on', '230 welcome', '500 FEAT?', '200 binary', '257 "/"'];
  return startScript(t, [...login, '550 no folder', '550 no file', `229 (|||${port}|)`, `150 send\r\n${reply}`]);
}

const ends = [
  ['451 Failure writing to local file.', 'full'],
  ['451 Transfer aborted. Input/output error', 'full'],
  ['452 Insufficient storage', 'full'],
  ['552 Quota exceeded', 'full'],
  ['451 Try again', 'interrupted'],
] as const;

for (const [reply, kind] of ends)
  test(`an upload that the server breaks off with "${reply}" rejects with ${kind}`, async (t) => {
    const port = await breakingOff(t, reply);
    const connector = open(t, { port, user: 'someone', password: 'secret' });
    const body = Readable.from(Array.from({ length: 300 }, () => Buffer.alloc(100_000)));
    await assert.rejects(put(connector, '/a', body), { kind });
  });
