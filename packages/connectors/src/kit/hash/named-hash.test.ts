import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type HashName, hashNames } from '../../core/hashes.ts';
import { createHashSet, namedHash } from './named-hash.ts';

/**
 * Published check values for the ASCII text `123456789` (RFC 1321, FIPS 180-4, the CRC catalogue); quickXor and Dropbox's have tests of
 * their own.
 */
const known: Readonly<Partial<Record<HashName, string>>> = {
  md5: '25f9e794323b453885f5181f1b624d0b',
  sha1: 'f7c3bc1d808e04732adf679965ccc34ca7ae3441',
  sha256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
  crc32: 'cbf43926',
  crc32c: 'e3069283',
  crc64nvme: 'ae8b14860a799888',
};

for (const name of hashNames) {
  test(`${name} of bytes in any pieces equals that of the whole`, async () => {
    const bytes = randomBytes(5 * 1024 * 1024 + 13);
    const whole = namedHash(name);
    whole.update(bytes);
    const expected = whole.digest();
    assert.match(expected, /^[0-9a-f]+$/);
    for (const size of [bytes.length, 1000]) {
      const set = createHashSet([name, name], size);
      for (let at = 0, step = 1; at < bytes.length; at += step, step = (step * 7 + 3) % 65_537)
        await set.update(bytes.subarray(at, at + step));
      assert.deepEqual(await set.digest(), { [name]: expected });
    }
  });

  const check = known[name];
  if (check === undefined) continue;
  test(`${name} of the published check text is the published value`, () => {
    const hash = namedHash(name);
    hash.update(Buffer.from('123456789'));
    assert.equal(hash.digest(), check);
  });
}

test('chunks that arrive before the previous one was taken are hashed in order', async () => {
  const bytes = randomBytes(40 * 1024 * 1024);
  const set = createHashSet(['sha256', 'md5'], bytes.length);
  const waits: (Promise<void> | undefined)[] = [];
  for (let at = 0; at < bytes.length; at += 3_000_000) waits.push(set.update(bytes.subarray(at, at + 3_000_000)));
  await Promise.all(waits.filter((wait) => wait !== undefined));
  const expected = (['sha256', 'md5'] as const).map((name) => {
    const hash = namedHash(name);
    hash.update(bytes);
    return [name, hash.digest()];
  });
  assert.deepEqual(await set.digest(), Object.fromEntries(expected));
});
