import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { serveHttp } from '../testing/http-server.ts';
import { lendChunks } from './body-memory.ts';
import { createBodyReader } from './body-reader.ts';
import { type Chunks, chunksFrom, lengthOf } from './chunks.ts';

const { signal } = new AbortController();
const chunksOf = (...sizes: number[]): Chunks => sizes.map((size) => randomBytes(size));

async function serve(t: TestContext, handler: RequestListener) {
  const served = await serveHttp(handler);
  t.after(served.close);
  return served;
}

test('a body in several chunks arrives as one, with its length, and the connection is reused', async (t) => {
  const seen: [string | undefined, Buffer][] = [];
  const { client, connections } = await serve(t, (request, response) => {
    void request.toArray().then((all) => {
      seen.push([request.headers['content-length'], Buffer.concat(all)]);
      response.end();
    });
  });
  for (const chunks of [chunksOf(3_000_000, 1, 70_000), chunksOf(5), []]) {
    await (await client.request({ method: 'POST', path: '/', body: chunks, signal })).discard();
    const [length, bytes] = seen.at(-1) ?? [];
    assert.equal(length, String(lengthOf(chunks)));
    assert.ok(bytes?.equals(Buffer.concat(chunks)));
  }
  assert.equal(connections(), 1);
});

test('a refusal before all bytes were sent closes the connection, so that their memory is free', async (t) => {
  const { client, connections } = await serve(t, (request, response) => {
    if (request.method === 'GET') return response.end('ok');
    request.once('data', () => {
      request.pause();
      response.writeHead(507, { 'content-length': 0 }).end();
    });
    return undefined;
  });
  const body = chunksOf(16_000_000, 16_000_000);
  const refused = await client.request({ method: 'PUT', path: '/', body, signal });
  assert.equal(refused.status, 507);
  await refused.discard();
  assert.equal(await (await client.request({ method: 'GET', path: '/', signal })).text(), 'ok');
  assert.equal(connections(), 2);
});

test('bytes from an offset on start within a chunk, and between two', () => {
  const chunks = chunksOf(4, 3, 5);
  const all = Buffer.concat(chunks);
  for (const offset of [0, 2, 4, 7, 11, 12]) assert.ok(Buffer.concat(chunksFrom(chunks, offset)).equals(all.subarray(offset)));
});

test('gathered bytes are passed on in order, and their memory is freed on request', async () => {
  const sent = Array.from({ length: 4 }, () => Buffer.from(new Uint8Array(64 * 1024).fill(7).buffer));
  const reader = createBodyReader(lendChunks(Readable.from(sent)), signal);
  let shown = 0;
  let showing = 0;
  const chunks = await reader.gather(3 * 64 * 1024 + 5, async (chunk) => {
    assert.equal((showing += 1), 1);
    await Promise.resolve();
    shown += chunk.byteLength;
    showing -= 1;
  });
  assert.deepEqual([lengthOf(chunks), shown], [3 * 64 * 1024 + 5, 3 * 64 * 1024 + 5]);
  reader.release(chunks);
  assert.deepEqual(
    sent.map(({ byteLength }) => byteLength),
    [0, 0, 0, 64 * 1024],
  );
  assert.equal(lengthOf(await reader.gather(100_000)), 64 * 1024 - 5);
});
