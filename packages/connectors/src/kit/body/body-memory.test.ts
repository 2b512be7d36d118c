import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { giveBack, lendChunks, lendLike } from './body-memory.ts';

const whole = (): Buffer => Buffer.from(new ArrayBuffer(64 * 1024));

test('a chunk of a lent body is empty after it was given back', () => {
  const chunk = whole();
  giveBack(lendChunks(Readable.from([])), chunk);
  assert.equal(chunk.byteLength, 0);
});

test('a body made from a lent one is lent too, and one made from another is not', () => {
  const [first, second] = [whole(), whole()];
  giveBack(lendLike(Readable.from([]), lendChunks(Readable.from([]))), first);
  giveBack(lendLike(Readable.from([]), Readable.from([])), second);
  assert.deepEqual([first.byteLength, second.byteLength], [0, 64 * 1024]);
});

test('chunks of a body that others may read stay unchanged', () => {
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
