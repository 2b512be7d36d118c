import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Body } from '@sheaf/connectors';
import { eventually } from '@sheaf/testbed';
import { writeBody } from './write-body.ts';

const chunkSize = 128 * 1024;
/** The head is already written. */
const begin = () => undefined;

/** A file of that many chunks, all lent from one buffer as soon as it is free. */
function file(chunks: number) {
  const bytes = randomBytes(chunks * chunkSize);
  const state = { lent: 0, freeAtOnce: 0, isCancelled: false };
  const body: Body = {
    size: bytes.length,
    entry: {},
    async drain(take) {
      const memory = Buffer.alloc(chunkSize);
      for (let at = 0; at < bytes.length; at += chunkSize) {
        bytes.copy(memory, 0, at, at + chunkSize);
        state.lent += 1;
        const taken = take(memory);
        if (taken) await taken;
        else state.freeAtOnce += 1;
      }
    },
    cancel: () => void (state.isCancelled = true),
  };
  return { bytes, body, state };
}

/** A client's connection to a server that answers by `take`, which returns the next answer's body of that length. */
async function connected(t: TestContext, answer: (response: ServerResponse) => Promise<void>) {
  const server = createServer((_request, response) => void answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => client.destroy());
  const arriving = client[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let parts: Buffer[] = [];
  let arrived = 0;
  return {
    ask: (count = 1) => client.write('GET / HTTP/1.1\r\nhost: halm\r\n\r\n'.repeat(count)),
    /** Stops reading. */
    stall: () => client.pause(),
    async take(length: number): Promise<Buffer> {
      for (;;) {
        if (arrived > length) {
          const all = Buffer.concat(parts);
          const start = all.indexOf('\r\n\r\n') + 4;
          const rest = all.subarray(start + length);
          parts = [all.length < start + length ? all : rest];
          if (all.length >= start + length) {
            arrived = rest.length;
            return all.subarray(start, start + length);
          }
        }
        const { value, done } = await arriving.next();
        if (done) throw new Error(`the connection ended after ${arrived} bytes`);
        parts.push(value);
        arrived += value.length;
      }
    },
  };
}

test('lent bytes stay unchanged until the system has taken them, also while a client is slow', async (t) => {
  const { bytes, body, state } = file(100);
  const { ask, take } = await connected(t, async (response) => {
    response.setHeader('content-length', bytes.length).writeHead(200);
    await writeBody(body, response, { expected: bytes.length, provider: 'Test', begin });
  });
  ask();
  let before = 0;
  await eventually(() => state.lent > 0 && (state.lent === before || ((before = state.lent), false)), 'the source waits for the client');
  assert.ok(state.lent < 100);
  assert.ok((await take(bytes.length)).equals(bytes));
});

test('answers on one connection follow each other complete, pipelined ones too', async (t) => {
  const files = [file(20), file(3), file(20)];
  const poured: Promise<void>[] = [];
  const { ask, take } = await connected(t, async (response) => {
    const next = files[poured.length];
    assert.ok(next);
    response.setHeader('content-length', next.bytes.length).writeHead(200);
    poured.push(writeBody(next.body, response, { expected: next.bytes.length, provider: 'Test', begin }));
  });
  ask(2);
  for (const [index, { bytes }] of files.entries()) {
    if (index === 2) ask();
    assert.ok((await take(bytes.length)).equals(bytes), `answer ${index}`);
  }
  await Promise.all(poured);
  assert.ok(files.some(({ state }) => state.freeAtOnce > 0));
});

test('a body of unknown length is sent with chunked framing', async (t) => {
  const { bytes, body } = file(2);
  const { ask, take } = await connected(t, async (response) => {
    response.writeHead(200);
    await writeBody(body, response, { provider: 'Test', begin });
  });
  ask();
  const line = `${chunkSize.toString(16)}\r\n`;
  const framed = await take(2 * (line.length + chunkSize + 2) + 5);
  const [first, second] = [bytes.subarray(0, chunkSize), bytes.subarray(chunkSize)];
  assert.ok(framed.equals(Buffer.concat([line, first, '\r\n', line, second, '\r\n', '0\r\n\r\n'].map((part) => Buffer.from(part)))));
});

test('bytes beyond the announced length end the connection', async (t) => {
  const { body, state } = file(4);
  const expected = 3 * chunkSize;
  const poured = Promise.withResolvers<unknown>();
  const { ask, take } = await connected(t, async (response) => {
    response.setHeader('content-length', expected).writeHead(200);
    await writeBody(body, response, { expected, provider: 'Test', begin }).catch(poured.resolve);
  });
  ask();
  await assert.rejects(take(expected + 1));
  const error = await poured.promise;
  assert.ok(error instanceof Error && 'messageCode' in error);
  assert.equal(error.messageCode, 'TRANSFER_CUT');
  assert.ok(state.isCancelled);
});

test('a client that reads nothing counts as gone, and its source is closed', async (t) => {
  const { bytes, body, state } = file(200);
  const poured = Promise.withResolvers<unknown>();
  const { ask, stall } = await connected(t, async (response) => {
    response.setHeader('content-length', bytes.length).writeHead(200);
    await writeBody(body, response, { expected: bytes.length, provider: 'Test', begin, timeout: 50 }).catch(poured.resolve);
  });
  stall();
  ask();
  const error = await poured.promise;
  assert.ok(error instanceof Error && 'messageCode' in error);
  assert.equal(error.messageCode, 'TRANSFER_CUT');
  assert.ok(state.isCancelled);
});
