import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { fastify } from 'fastify';
import { answerErrors } from '../on-error.ts';
import { limitBodies } from './body-room.ts';
import { acceptForms } from './forms.ts';

async function server(t: TestContext, most: { all: number; network: number }) {
  const app = fastify({ bodyLimit: 1 << 20, trustProxy: true, forceCloseConnections: true });
  limitBodies(app, most);
  acceptForms(app);
  answerErrors(app);
  app.post('/form', async ({ body }) => ({ fields: Object.keys(body as object).length }));
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async () => undefined);
    scope.put('/file', async ({ raw }) => {
      let bytes = 0;
      for await (const chunk of raw as AsyncIterable<Buffer>) bytes += chunk.length;
      return { bytes };
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const post = async (address: string, bytes: number) => {
    const response = await fetch(`http://127.0.0.1:${port}/form`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ a: 'x'.repeat(bytes) }),
    });
    return response.status;
  };
  /** Sends the beginning of a body that never ends. */
  const begin = async (address: string, bytes: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      `POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-forwarded-for: ${address}\r\ncontent-length: 1000000\r\n\r\n`,
    );
    socket.write('x'.repeat(bytes));
    return socket;
  };
  const put = async (bytes: number) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}/file`, { method: 'PUT', headers, body: 'x'.repeat(bytes) });
    return (await response.json()) as { bytes: number };
  };
  return { post, begin, put };
}

test('unfinished bodies fill the room of their own network only, and release it when they are aborted', async (t) => {
  const { post, begin } = await server(t, { all: 10_000_000, network: 1_000_000 });
  assert.equal(await post('203.0.113.1', 100_000), 200);
  const sockets = await Promise.all([1, 2].map(() => begin('203.0.113.1', 480_000)));
  await eventually(async () => (await post('203.0.113.1', 100_000)) === 429, 'the network has no room left');
  assert.equal(await post('203.0.113.1', 100), 200, 'small ones still fit');
  assert.equal(await post('203.0.113.2', 100_000), 200);
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await post('203.0.113.1', 100_000)) === 200, 'there is room again');
});

test('all networks together fill no more than the memory that bodies may take', async (t) => {
  const { post, begin } = await server(t, { all: 1_000_000, network: 600_000 });
  const sockets = await Promise.all(['203.0.113.1', '203.0.113.2'].map((address) => begin(address, 480_000)));
  await eventually(async () => (await post('203.0.113.3', 100_000)) === 429, 'there is no room left');
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await post('203.0.113.3', 100_000)) === 200, 'there is room again');
});

test('an announced length alone takes no room, and one that differs is refused', async (t) => {
  const { post, begin } = await server(t, { all: 1_000_000, network: 1_000_000 });
  await Promise.all(Array.from({ length: 20 }, () => begin('203.0.113.1', 10)));
  assert.equal(await post('203.0.113.1', 500_000), 200);
});

test('a file that is streamed takes no room, whatever its type', async (t) => {
  const { put, post } = await server(t, { all: 100_000, network: 100_000 });
  assert.deepEqual(await put(900_000), { bytes: 900_000 });
  assert.equal(await post('203.0.113.1', 50_000), 200);
});
