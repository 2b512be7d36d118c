import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type FtpServer, startProftpd } from '@sheaf/testbed';
import { isKind } from '../../core/error.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const text = (bytes: string) => Readable.from([Buffer.from(bytes)]);

/** Connects through a proxy that passes each command to `hear`, which returns the line to forward, or undefined to close the connection. */
async function linked(t: TestContext, hear: (line: string) => string | undefined = (line) => line) {
  const server: FtpServer = await startProftpd();
  const line = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1');
    upstream.pipe(client);
    client.on('data', (bytes) => {
      const line = hear(bytes.toString('latin1'));
      if (line === undefined) client.destroy();
      else upstream.write(line, 'latin1');
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const config = parseFtpConfig({ server: `127.0.0.1:${port}`, protocol: 'FTP', username: server.user, password: server.password });
  const connector = openFtp(config, { dialer });
  t.after(async () => {
    await connector.close();
    line.close();
    await server.stop();
  });
  return { connector, home: server.home };
}

test('a server that does not rename over a file, and is lost while the old one has stepped aside, has the old one under its name', async (t) => {
  let renames = 0;
  const { connector, home } = await linked(t, (line) => {
    if (!line.startsWith('RNTO')) return line;
    renames += 1;
    // The first rename fails, the second moves the old file aside, the third would install the new one.
    return renames === 1 ? 'RNTO /not/here\r\n' : renames === 3 ? undefined : line;
  });
  await writeFile(join(home, 'file'), 'the only copy', { mode: 0o666 });
  await assert.rejects(async () => connector.write?.('/file', text('new'), { ...ask(), ifExists: 'replace' }), { kind: 'interrupted' });
  assert.equal(renames, 4);
  assert.deepEqual(await readdir(home), ['file']);
  assert.equal(await readFile(join(home, 'file'), 'utf8'), 'the only copy');
  await connector.write?.('/file', text('new'), { ...ask(), ifExists: 'replace' });
  assert.deepEqual(await readdir(home), ['file']);
  assert.equal(await readFile(join(home, 'file'), 'utf8'), 'new');
});

test('of several that take the same name at once, one gets it and nothing is replaced', async (t) => {
  const { connector, home } = await linked(t);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await writeFile(join(home, name), name);
  const moves = await Promise.allSettled([
    ...names.map(async (name) => connector.rename?.(`/${name}`, 'taken', ask())),
    connector.write?.('/taken', text('e'), { ...ask(), ifExists: 'fail' }),
  ]);
  for (const move of moves) assert.ok(move.status === 'fulfilled' || isKind(move.reason, 'alreadyExists'));
  assert.equal(moves.filter(({ status }) => status === 'fulfilled').length, 1);
  const left = await readdir(home);
  assert.equal(left.filter((name) => names.includes(name)).length, (await readFile(join(home, 'taken'), 'utf8')) === 'e' ? 4 : 3);
  assert.equal(left.length, (await readFile(join(home, 'taken'), 'utf8')) === 'e' ? 5 : 4);
});

test('a time that cannot be told is left out', async (t) => {
  const { connector } = await linked(t);
  for (const modified of [1e15, -1e12, 1e11]) {
    const { modified: told = 0 } = (await connector.write?.('/file', text('x'), { ...ask(), ifExists: 'replace', modified })) ?? {};
    if (modified !== 1e11) assert.ok(Math.abs(told - Date.now() / 1000) < 3600, `${modified} became ${told}`);
  }
});
