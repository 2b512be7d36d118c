import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startProftpd } from '@sheaf/testbed';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });

/** A link to ProFTPD through a proxy that records which lines arrive at once; with `losesLines` it passes on only the first of them. */
async function linked(t: TestContext, { losesLines = false } = {}) {
  const server = await startProftpd();
  const writes: string[][] = [];
  const line = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1');
    upstream.pipe(client);
    client.on('data', (bytes) => {
      const lines = bytes.toString('latin1').split(/(?<=\n)/);
      writes.push(lines.map((one) => one.split(/[ \r]/)[0] ?? ''));
      upstream.write(losesLines ? (lines[0] ?? '') : bytes);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const info = { server: `127.0.0.1:${port}`, protocol: 'FTP', username: server.user, password: server.password };
  const connector = openFtp(parseFtpConfig({ ...info, numConcurrentConnections: '1' }), { dialer });
  t.after(async () => {
    await connector.close();
    line.close();
    await server.stop();
  });
  const write = async (path: string, text: string) =>
    connector.write?.(path, Readable.from([Buffer.from(text)]), {
      ...ask(),
      size: text.length,
      ifExists: 'fail',
      seenFree: true,
      modified: 1_700_000_000,
    });
  const read = async (path: string, size: number) => (await collect(await connector.read(path, { ...ask(), known: { size } }))).toString();
  return { writes, write, read };
}

test('a small file takes three round trips to be stored, and two to be read', async (t) => {
  const { writes, write, read } = await linked(t);
  await write('/first', 'one');
  writes.length = 0;
  assert.equal((await write('/second', 'two'))?.modified, 1_700_000_000);
  assert.equal(await read('/second', 3), 'two');
  assert.deepEqual(writes, [['EPSV', 'STOR'], ['MFMT', 'MLST', 'MLST'], ['RNFR', 'RNTO'], ['EPSV', 'MLST'], ['RETR']]);
});

test('a name that was taken in the meantime is refused after the checks, and the connection stays usable', async (t) => {
  const { write, read } = await linked(t);
  await write('/file', 'old');
  await assert.rejects(write('/file', 'new'), { kind: 'alreadyExists' });
  assert.equal(await read('/file', 3), 'old');
  await write('/other', 'more');
  assert.equal(await read('/other', 4), 'more');
});

test('a server that loses lines which arrive at once gets one at a time, in every session of the link', async (t) => {
  const { writes, write, read } = await linked(t, { losesLines: true });
  await write('/file', 'one');
  assert.equal(await read('/file', 3), 'one');
  assert.deepEqual(
    writes.filter((lines) => lines.length > 1),
    [['NOOP', 'NOOP']],
  );
});
