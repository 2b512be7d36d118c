import assert from 'node:assert/strict';
import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { uploadBody } from './upload-body.ts';

/** Sends the pieces one after the other and gives the chunks of the body, which nobody reads before all have come. */
async function chunksOf(pieces: readonly string[]): Promise<readonly string[]> {
  const chunks = Promise.withResolvers<readonly string[]>();
  const server: Server = createServer((incoming, response) => {
    const body = uploadBody(incoming);
    const collect = async (): Promise<string[]> => {
      const taken: string[] = [];
      while (!incoming.complete) await soon();
      for await (const chunk of body as AsyncIterable<Buffer>) taken.push(chunk.toString());
      response.end();
      return taken;
    };
    collect().then(chunks.resolve, chunks.reject);
    incoming.resume();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const sending = request({ host: '127.0.0.1', port, method: 'PUT' });
    for (const piece of pieces) sending.write(piece);
    sending.end();
    return await chunks.promise;
  } finally {
    server.close();
  }
}

test('chunks that wait are not joined into a new buffer', async () => {
  assert.deepEqual(await chunksOf(['one', 'two', 'three']), ['one', 'two', 'three']);
});
