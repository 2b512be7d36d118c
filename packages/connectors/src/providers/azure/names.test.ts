import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blobNameOf, keyOfBlob } from './names.ts';

const tricky = ['\u241b', '\\', '/', '.', '\u0001', '\u001f', '\u007f', '5', 'C', 'x'];

test('any key can be restored from its blob name, which Azure does not change', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...tricky), maxLength: 12 }), (key) => {
      const name = blobNameOf(key);
      assert.equal(keyOfBlob(name), key);
      assert.doesNotMatch(name, /\\|\p{Cc}|\.(?=\/|$)/u);
    }),
    { numRuns: 3000 },
  );
});

test('ordinary keys are unchanged as blob names', () => {
  for (const key of ['a/b.txt', '.hidden', 'caf\u00e9', '100% #1', 'a\u241b']) assert.equal(blobNameOf(key), key);
});
