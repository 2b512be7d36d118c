import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gathered } from './gathered.ts';

const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 255);

async function* inParts(whole: Uint8Array, size: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
  if (failure) throw failure;
}

test('pieces begin small and grow, each in a buffer of its own or one that was given back, and the bytes stay the same', async () => {
  const whole = bytes(5_000_001);
  for (const size of [1000, 65_536, 3_000_000]) {
    const pieces: Uint8Array[] = [];
    const made: number[] = [];
    let spare: ArrayBuffer | undefined;
    const newRoom = (wanted: number): ArrayBuffer => {
      const room = spare?.byteLength === wanted ? spare : new ArrayBuffer(wanted);
      if (room !== spare) made.push(wanted);
      spare = undefined;
      return room;
    };
    for await (const piece of gathered(inParts(whole, size), newRoom)) {
      assert.equal(piece.byteOffset, 0);
      pieces.push(piece.slice());
      // As a reader does: the buffer is gone from here, and comes back as another one.
      spare = piece.buffer.transfer();
    }
    assert.ok(Buffer.concat(pieces).equals(whole), String(size));
    assert.deepEqual(
      pieces.map(({ length }) => Math.floor(length / 65_536)),
      [1, 2, 4, 8, 16, 16, 16, 13],
      String(size),
    );
    // The largest buffer is reused, so a long file creates no garbage.
    assert.deepEqual(
      made.map((one) => one / 65_536),
      [1, 2, 4, 8, 16],
    );
  }
  assert.deepEqual(await Array.fromAsync(gathered(inParts(bytes(0), 1))), []);
});

test('bytes read before a failure are yielded before it is thrown', async () => {
  const whole = bytes(100_000);
  const failure = new Error('damaged');
  const given: Uint8Array[] = [];
  await assert.rejects(async () => {
    for await (const piece of gathered(inParts(whole, 30_000, failure))) given.push(piece.slice());
  }, failure);
  assert.ok(Buffer.concat(given).equals(whole));
});
