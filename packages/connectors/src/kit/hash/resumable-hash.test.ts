import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HashName } from '../../core/hashes.ts';
import { namedHash } from './named-hash.ts';
import { createResumableHash } from './resumable-hash.ts';

for (const name of ['md5', 'sha1', 'sha256', 'dropbox'] satisfies HashName[])
  test(`${name}: a hash that is stored and continued at any byte equals one that was never interrupted`, async () => {
    const size = name === 'dropbox' ? 9 * 1024 * 1024 : 200_000;
    const bytes = Buffer.alloc(size, 'some bytes ');
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: size }), { maxLength: 4 });
    const whole = namedHash(name);
    await whole.update(bytes);
    const expected = whole.digest();
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const ends = [...at.toSorted((one, other) => one - other), size];
        let saved: string | undefined;
        let start = 0;
        for (const end of ends) {
          const hash = (await createResumableHash(name, saved)) ?? assert.fail();
          hash.update(bytes.subarray(start, end));
          saved = hash.save();
          start = end;
        }
        assert.equal((await createResumableHash(name, saved))?.digest(), expected);
      }),
      { numRuns: name === 'dropbox' ? 5 : 30 },
    );
  });

test('a hash whose state cannot be stored is not offered', async () => {
  assert.equal(await createResumableHash('crc32c'), undefined);
});
