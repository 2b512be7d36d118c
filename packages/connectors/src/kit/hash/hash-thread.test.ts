import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32c } from './crc32c.ts';
import { createHashThread } from './hash-thread.ts';

const thread = createHashThread();
const hashOf = (algorithm: string, bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash(algorithm).update(bytes).digest(encoding);

test('a hash made on the thread equals that of the same bytes, however they are split', async () => {
  const bytes = randomBytes(3_000_001);
  for (const size of [63, 65_536, 262_144, 262_145, 3_000_001]) {
    const hash = thread.hash('md5');
    for (let at = 0; at < bytes.length; at += size) await hash.update(bytes.subarray(at, at + size));
    assert.equal(await hash.digest(), hashOf('md5', bytes), `pieces of ${size}`);
  }
});

test('hashes of several bodies do not mix, and each has its algorithm and encoding', async () => {
  const bodies = Array.from({ length: 12 }, (_, number) => randomBytes(700_000 + number));
  const made = await Promise.all(
    bodies.map(async (bytes, number) => {
      const hash = thread.hash(number % 2 === 0 ? 'sha1' : 'sha256', 'base64');
      for (let at = 0; at < bytes.length; at += 50_000) await hash.update(bytes.subarray(at, at + 50_000));
      return hash.digest();
    }),
  );
  assert.deepEqual(
    made,
    bodies.map((bytes, number) => hashOf(number % 2 === 0 ? 'sha1' : 'sha256', bytes, 'base64')),
  );
});

test('CRC-32C is computed there too', async () => {
  const bytes = randomBytes(2_000_003);
  const here = crc32c();
  here.update(bytes);
  const hash = thread.hash('crc32c', 'base64');
  for (let at = 0; at < bytes.length; at += 77_777) await hash.update(bytes.subarray(at, at + 77_777));
  assert.equal(await hash.digest(), here.digest());
});

test('a chunk may be reused as soon as `update` has taken it', async () => {
  const chunk = Buffer.alloc(100_000);
  const whole = createHash('md5');
  const hash = thread.hash('md5');
  for (let round = 0; round < 50; round++) {
    chunk.fill(round);
    whole.update(chunk);
    await hash.update(chunk);
  }
  assert.equal(await hash.digest(), whole.digest('hex'));
});

test('an idle thread, and one whose work was discarded, may end', async () => {
  assert.equal(await thread.hash('md5').digest(), hashOf('md5', Buffer.alloc(0)));
  const left = thread.hash('md5');
  await left.update(randomBytes(300_000));
  left.cancel();
  left.cancel();
  assert.equal(await thread.hash('md5').digest(), hashOf('md5', Buffer.alloc(0)));
});

test('a chunk that waits for the thread is released when its hash is discarded', async () => {
  const hash = thread.hash('sha256');
  const waiting = hash.update(Buffer.alloc(32 * 1024 * 1024));
  assert.ok(waiting, 'the thread was never behind');
  hash.cancel();
  await waiting;
});
