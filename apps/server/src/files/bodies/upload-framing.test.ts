import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { testContent } from '#/testing/content.ts';

/** A connection that sends requests byte for byte. */
async function setting(t: TestContext) {
  const { app, source, uri } = await testContent(t);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const socket: Socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  // A refusing server may reset unread data.
  socket.on('error', () => undefined);
  const address = (name: string) => `/rest/content/upload?${new URLSearchParams({ parentLinkUri: uri('/'), name }).toString()}`;
  return {
    source,
    socket,
    /** Everything received so far. */
    received: () => received,
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    /** The head of a signed-in user's upload, unless `headers` says otherwise. */
    head: (name: string, ...headers: readonly string[]) =>
      [`PUT ${address(name)} HTTP/1.1`, 'host: sheaf', 'cookie: sid=user1', 'x-rtag: tag', ...headers, '', ''].join('\r\n'),
    held(name: string): string | undefined {
      const node = source.root.children.get(name);
      return node?.kind === 'file' ? node.bytes.toString() : undefined;
    },
  };
}

test('consecutive uploads on one connection each get their own bytes, however their length is announced', async (t) => {
  const { socket, head, held, statuses } = await setting(t);
  const chunked = '3;note=x\r\none\r\n4\r\n two\r\n0\r\ntrailer: x\r\n\r\n';
  socket.write(
    head('a', 'content-length: 5') + 'first' + head('b', 'transfer-encoding: chunked') + chunked + head('c', 'content-length: 0'),
  );
  await eventually(() => statuses().length === 3, 'three answers');
  assert.deepEqual(statuses(), [200, 200, 200]);
  assert.deepEqual([held('a'), held('b'), held('c')], ['first', 'one two', '']);
});

test('a client that waits for "100 Continue" receives it', async (t) => {
  const { socket, head, held, statuses } = await setting(t);
  socket.write(head('a', 'content-length: 4', 'expect: 100-continue'));
  await eventually(() => statuses()[0] === 100, 'the server asks for the body');
  socket.write('body');
  await eventually(() => statuses().length === 2, 'the answer');
  assert.deepEqual([statuses()[1], held('a')], [200, 'body']);
});

test('a body that comes byte by byte is stored whole', async (t) => {
  const { socket, head, held, statuses } = await setting(t);
  for (const byte of head('a', 'transfer-encoding: chunked') + '6\r\nslowly\r\n0\r\n\r\n') {
    socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => statuses().length === 1, 'the answer');
  assert.equal(held('a'), 'slowly');
});

const hostile: Readonly<Record<string, readonly [headers: readonly string[], body: string]>> = {
  'a length and chunks': [['content-length: 5', 'transfer-encoding: chunked'], '0\r\n\r\nGET '],
  'two lengths': [['content-length: 5', 'content-length: 6'], 'hello'],
  'a length that is no number': [['content-length: +5'], 'hello'],
  'a coding after chunked': [['transfer-encoding: chunked, identity'], '5\r\nhello\r\n0\r\n\r\n'],
  'a chunk without a size': [['transfer-encoding: chunked'], 'x\r\nhello\r\n0\r\n\r\n'],
  'a negative chunk': [['transfer-encoding: chunked'], '-5\r\nhello\r\n0\r\n\r\n'],
  'a chunk too large to count': [['transfer-encoding: chunked'], 'fffffffffffffffff\r\nhello'],
  'a chunk longer than it says': [['transfer-encoding: chunked'], '2\r\nhello\r\n0\r\n\r\n'],
};

for (const [fault, [headers, body]] of Object.entries(hostile)) {
  test(`an upload with ${fault} is refused, stores nothing, and ends the connection`, async (t) => {
    const { socket, source, head, received } = await setting(t);
    const closed = once(socket, 'close');
    socket.write(head('a', ...headers) + body + 'GET /smuggled HTTP/1.1\r\nhost: sheaf\r\n\r\n');
    await closed;
    assert.match(received(), /^HTTP\/1\.1 400 /);
    assert.ok(!received().includes('404'));
    await eventually(() => source.root.children.size === 0, 'nothing is stored');
  });
}

test('a signed-out visitor, and a request forged by another site, are refused before the body arrives [SEC-04]', async (t) => {
  for (const without of ['cookie: sid=user1\r\n', 'x-rtag: tag\r\n']) {
    const { socket, source, head, statuses, received } = await setting(t);
    socket.write(head('a', 'content-length: 1000000').replace(without, ''));
    await eventually(() => statuses().length === 1, 'the refusal');
    assert.match(received(), /"errorCode":104/);
    assert.equal(source.root.children.size, 0);
  }
});
