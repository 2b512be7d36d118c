import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createControl } from './control.ts';

/** Opens a control connection to a server that records what arrives at once and answers each line. */
async function noting(t: TestContext) {
  const came: string[] = [];
  const server = createServer((socket) =>
    socket.on('data', (bytes) => {
      came.push(bytes.toString('latin1'));
      const lines = bytes.toString('latin1').split('\n').slice(0, -1);
      socket.write(lines.map((line) => `200 ${line}\n`).join(''));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const control = createControl(socket);
  t.after(() => {
    control.close();
    server.close();
  });
  return { control, came };
}

const signal = new AbortController().signal;

test('a command of an aborted call is not sent, so that the next one gets its own reply', async (t) => {
  const { control } = await noting(t);
  await assert.rejects(control.command('SIZE one', AbortSignal.abort()), { kind: 'aborted' });
  assert.deepEqual(await control.command('SIZE two', signal), { code: 200, lines: ['SIZE two'] });
  assert.equal(control.dead, false);
});

test('lines of a series are sent in one write to a server that supports this, and each reply belongs to its line', async (t) => {
  const { control, came } = await noting(t);
  control.pipelines = true;
  const series = control.series(['SIZE a', 'MDTM a', 'SIZE b'], signal);
  assert.deepEqual((await series.next()).lines, ['SIZE a']);
  await series.skip(2);
  assert.deepEqual((await control.command('NOOP', signal)).lines, ['NOOP']);
  assert.deepEqual(came, ['SIZE a\r\nMDTM a\r\nSIZE b\r\n', 'NOOP\r\n']);
  assert.throws(() => control.series(['SIZE a', 'SIZE b\r\nDELE c'], signal), { kind: 'badName' });
  assert.equal(came.length, 2);
});

test('to another server each line is sent after the reply to the previous one, and skipped lines are never sent', async (t) => {
  const { control, came } = await noting(t);
  const series = control.series(['SIZE a', 'MDTM a', 'SIZE b'], signal);
  assert.deepEqual((await series.next()).lines, ['SIZE a']);
  await series.skip(1);
  assert.deepEqual((await series.next()).lines, ['SIZE b']);
  assert.deepEqual(came, ['SIZE a\r\n', 'SIZE b\r\n']);
});

const endless: Readonly<Record<string, string>> = {
  'one reply of long lines': `211-${'x'.repeat(100_000)}\r\n`,
  'one reply of short lines': '211-\r\n',
  'a line': 'x'.repeat(100_000),
  'replies to nothing': '200 yes\r\n',
};
for (const [what, bytes] of Object.entries(endless)) {
  test(`the connection to a server that sends ${what} without end is closed`, async (t) => {
    const server = createServer((socket) => {
      const send = (): void => {
        while (!socket.destroyed && socket.write(bytes));
        if (!socket.destroyed) socket.once('drain', () => setImmediate(send));
      };
      socket.on('error', () => undefined);
      send();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    createControl(socket);
    await once(socket, 'close');
    assert.ok(socket.bytesRead < 16 * 1024 * 1024, `${socket.bytesRead} bytes were read`);
  });
}
