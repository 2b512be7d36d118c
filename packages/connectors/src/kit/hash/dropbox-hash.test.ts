import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { blockHashes, blockSize, contentHash, hashOfBlocks } from './dropbox-hash.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

test('the hash of a file is that of its blocks of 4 MiB, however it is split', async () => {
  const bytes = Buffer.alloc(2 * blockSize + 7, 'abc');
  const blocks = [bytes.subarray(0, blockSize), bytes.subarray(blockSize, 2 * blockSize), bytes.subarray(2 * blockSize)];
  const expected = sha256(Buffer.concat(blocks.map(sha256))).toString('hex');
  for (const size of [1_000_003, blockSize, bytes.length]) {
    const hash = contentHash();
    for (let at = 0; at < bytes.length; at += size) hash.update(bytes.subarray(at, at + size));
    assert.equal(hash.digest(), expected);
  }
});

test('blocks of a file can be hashed part by part, on the hash thread or the main thread', async () => {
  const bytes = Buffer.alloc(2 * blockSize + 7, 'abc');
  const whole = contentHash();
  whole.update(bytes);
  const expected = whole.digest();
  for (const size of [undefined, 1000]) {
    const parts: Buffer[] = [];
    for (const part of [bytes.subarray(0, 2 * blockSize), bytes.subarray(2 * blockSize)]) {
      const blocks = blockHashes(size);
      for (let at = 0; at < part.length; at += 1_000_003) await blocks.update(part.subarray(at, at + 1_000_003));
      parts.push(await blocks.digest());
    }
    assert.equal(hashOfBlocks(Buffer.concat(parts)), expected);
  }
});

test('an empty file has the hash of no blocks, and full blocks end without an empty one', async () => {
  assert.equal(contentHash().digest(), sha256(Buffer.alloc(0)).toString('hex'));
  assert.equal(hashOfBlocks(await blockHashes(0).digest()), contentHash().digest());
  const full = Buffer.alloc(blockSize, 1);
  const hash = contentHash();
  hash.update(full);
  assert.equal(hash.digest(), sha256(sha256(full)).toString('hex'));
});
