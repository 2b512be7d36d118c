import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blobNameOf, keyOfBlob } from './names.ts';

const tricky = ['\u241b', '\\', '/', '.', '\u0001', '\u001f', '\u007f', '5', 'C', 'x'];

test('a key with anything in it comes back from its blob, and the blob has nothing that Azure would change', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...tricky), maxLength: 12 }), (key) => {
      const name = blobNameOf(key);
      assert.equal(keyOfBlob(name), key);
      assert.doesNotMatch(name, /\\|\p{Cc}|\.(?=\/|$)/u);
    }),
    { numRuns: 3000 },
  );
});

test('ordinary keys are blob names as they are', () => {
  for (const key of ['a/b.txt', '.hidden', 'caf\u00e9', '100% #1', 'a\u241b']) assert.equal(blobNameOf(key), key);
});
