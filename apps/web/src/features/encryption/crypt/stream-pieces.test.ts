import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamPieces } from './stream-pieces.ts';

const source = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7 + (index >> 9)) & 255);

/** Collects the bytes, copying each piece: it is valid only until the next one is requested. */
async function collected(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of streamPieces(stream)) parts.push(piece.slice());
  return Buffer.concat(parts);
}

test('the bytes of a stream come whole, whether it takes a buffer of its reader or not', async () => {
  assert.equal(Buffer.compare(await collected(new Blob([source]).stream()), source), 0);
  const parts = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < source.length; at += 70_001) controller.enqueue(source.slice(at, at + 70_001));
      controller.close();
    },
  });
  assert.equal(Buffer.compare(await collected(parts), source), 0);
});

test('a stream that fails is told after the pieces before it', async () => {
  let count = 0;
  const failing = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (++count > 2) controller.error(new Error('gone'));
      else controller.enqueue(new Uint8Array(10));
    },
  });
  let bytes = 0;
  await assert.rejects(
    async () => {
      for await (const piece of streamPieces(failing as ReadableStream<Uint8Array<ArrayBuffer>>)) bytes += piece.length;
    },
    { message: 'gone' },
  );
  assert.equal(bytes, 20);
});
