import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gathered } from './gathered.ts';

const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 255);

async function* inParts(whole: Uint8Array, size: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
  if (failure) throw failure;
}

test('pieces begin small, grow, and hold the same bytes, each as a whole buffer', async () => {
  const whole = bytes(5_000_001);
  for (const size of [1000, 65_536, 3_000_000]) {
    const pieces: Uint8Array[] = [];
    const buffers = new Set<ArrayBuffer>();
    for await (const piece of gathered(inParts(whole, size))) {
      assert.equal(piece.buffer.byteLength, piece.length);
      buffers.add(piece.buffer);
      pieces.push(piece.slice());
    }
    assert.ok(Buffer.concat(pieces).equals(whole), String(size));
    assert.deepEqual(
      pieces.map(({ length }) => Math.floor(length / 65_536)),
      [1, 2, 4, 8, 16, 16, 16, 13],
      String(size),
    );
    // The largest buffer is used again, so that a long file leaves no garbage.
    assert.equal(buffers.size, 6);
  }
  assert.deepEqual(await Array.fromAsync(gathered(inParts(bytes(0), 1))), []);
});

test('what came before a failure is given before it', async () => {
  const whole = bytes(100_000);
  const failure = new Error('damaged');
  const given: Uint8Array[] = [];
  await assert.rejects(async () => {
    for await (const piece of gathered(inParts(whole, 30_000, failure))) given.push(piece.slice());
  }, failure);
  assert.ok(Buffer.concat(given).equals(whole));
});
