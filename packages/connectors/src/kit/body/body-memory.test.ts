import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { freeWhole, giveBack, lendChunks, lendLike } from './body-memory.ts';

const whole = (): Buffer => Buffer.from(new ArrayBuffer(64 * 1024));

test('a chunk of a lent body is empty after its release', () => {
  const chunk = whole();
  giveBack(lendChunks(Readable.from([])), chunk);
  assert.equal(chunk.byteLength, 0);
});

test('a body derived from a lent one is lent too, and one derived from another is not', () => {
  const [first, second] = [whole(), whole()];
  giveBack(lendLike(Readable.from([]), lendChunks(Readable.from([]))), first);
  giveBack(lendLike(Readable.from([]), Readable.from([])), second);
  assert.deepEqual([first.byteLength, second.byteLength], [0, 64 * 1024]);
});

test('chunks of a body with other readers stay unchanged', () => {
  const chunk = whole();
  giveBack(Readable.from([]), chunk);
  assert.equal(chunk.byteLength, 64 * 1024);
});

test('parts of chunks, and small chunks, stay unchanged', () => {
  const chunk = whole();
  const small = Buffer.from(new ArrayBuffer(1024));
  const body = lendChunks(Readable.from([]));
  giveBack(body, chunk.subarray(1));
  giveBack(body, chunk.subarray(0, 32 * 1024));
  giveBack(body, small);
  assert.deepEqual([chunk.byteLength, small.byteLength], [64 * 1024, 1024]);
});

test('a whole buffer is freed whatever its size, a part frees a small buffer, and parts of the pool stay unchanged', () => {
  const [large, small] = [Buffer.allocUnsafeSlow(255 * 1024), Buffer.allocUnsafeSlow(32 * 1024)];
  const [pooled, partOfLarge] = [Buffer.allocUnsafe(20 * 1024), Buffer.allocUnsafeSlow(255 * 1024)];
  for (const view of [large, small.subarray(0, 4), pooled, partOfLarge.subarray(0, 4)]) freeWhole(view);
  assert.deepEqual([large.byteLength, small.byteLength, pooled.byteLength, partOfLarge.byteLength], [0, 0, 20 * 1024, 255 * 1024]);
});
