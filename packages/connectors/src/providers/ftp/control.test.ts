import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createControl } from './control.ts';

/** Opens a control connection to a server that echoes each line. */
async function echoing(t: TestContext) {
  const server = createServer((socket) => socket.on('data', (line) => socket.write(`200 ${line.toString('latin1')}`)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const control = createControl(socket);
  t.after(() => {
    control.close();
    server.close();
  });
  return control;
}

test('a command of a caller who has left is not sent, so that the next one gets its own reply', async (t) => {
  const control = await echoing(t);
  await assert.rejects(control.command('SIZE one', AbortSignal.abort()), { kind: 'aborted' });
  assert.deepEqual(await control.command('SIZE two', new AbortController().signal), { code: 200, lines: ['SIZE two'] });
  assert.equal(control.dead, false);
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
