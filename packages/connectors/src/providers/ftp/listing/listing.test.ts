import assert from 'node:assert/strict';
import { type Socket, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Entry } from '../../../core/connector.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseFtpConfig } from '../config.ts';
import { openFtp } from '../connector.ts';
import { startScript } from '../testing/script.ts';

const dialer = createDialer({ privateNetworks: 'allow' });

/** Starts a server that sends these pieces to each client one by one, then ends the connection. */
async function startData(t: TestContext, pieces: readonly Buffer[]): Promise<number> {
  const send = async (socket: Socket): Promise<void> => {
    for (const piece of pieces) {
      socket.write(piece);
      await turn();
    }
    socket.end();
  };
  const server = createServer({ noDelay: true }, (socket) => void send(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Returns the connector's entries for a listing sent in those pieces. */
async function read(t: TestContext, { features, pieces }: { features: string; pieces: readonly Buffer[] }): Promise<Entry[]> {
  const data = await startData(t, pieces);
  const login = ['220 Hi', '331 go on', '230 welcome', features, '200 binary', '257 "/"'];
  const port = await startScript(t, [...login, '250 entered', `229 (|||${data}|)`, '150 go\r\n226 done']);
  const connector = openFtp(parseFtpConfig({ server: `127.0.0.1:${port}`, protocol: 'FTP', username: 'u', password: 'p' }), { dialer });
  const found: Entry[] = [];
  for await (const batch of connector.list('/', { signal: AbortSignal.timeout(20_000) })) found.push(...batch);
  await connector.close();
  return found;
}

const lines = [
  '-rw-r--r--    1 mara staff 7 Jan 21  2024 one.txt',
  'drwxr-xr-x    2 mara staff 4096 Jan 21  2024 two',
  '-rw-r--r--    1 mara staff 9 Jan 21  2024 drei ß.txt',
];
const plain = '211 no features';
const machine = '211-Features\r\n MLST type*;size*;modify*;\r\n211 End';

test('a listing is the same however it is split', async (t) => {
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n`);
  const whole = await read(t, { features: plain, pieces: [bytes] });
  assert.deepEqual(
    whole.map(({ name, kind, size }) => [name, kind, size]),
    [
      ['one.txt', 'file', 7],
      ['two', 'folder', undefined],
      ['drei ß.txt', 'file', 9],
    ],
  );
  for (const size of [1, 2, 50, 51, 52])
    assert.deepEqual(
      await read(t, {
        features: plain,
        pieces: Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
      }),
      whole,
      `pieces of ${size}`,
    );
});

test('a last line that ends with the transfer is an entry like any other', async (t) => {
  const names = async (features: string, text: string) =>
    (await read(t, { features, pieces: [Buffer.from(text)] })).map(({ name }) => name);
  assert.deepEqual(await names(plain, lines.slice(0, 2).join('\r\n')), ['one.txt', 'two']);
  assert.deepEqual(await names(machine, 'type=file;size=1; a\r\ntype=file;size=1; b'), ['a', 'b']);
});
