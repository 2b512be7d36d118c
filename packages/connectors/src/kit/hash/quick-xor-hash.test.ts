import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quickXorHash } from './quick-xor-hash.ts';

const hashOf = (...chunks: readonly Uint8Array[]): string => {
  const hash = quickXorHash();
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest();
};

/** Test vectors that other programs use too: content and base64 hash. */
const known: Readonly<Record<string, string>> = {
  '': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'Sg==': 'SgAAAAAAAAAAAAAAAQAAAAAAAAA=',
  'tbQ=': 'taAFAAAAAAAAAAAAAgAAAAAAAAA=',
  '0pZP': '0rDEEwAAAAAAAAAAAwAAAAAAAAA=',
  luBZlaT6: 'lgBHFipBCn0AAAAABgAAAAAAAAA=',
  'XoJ1AsoR4fDYJrDqYs4=': 'XhBEHQSgjAiEAx7YPgEs1CEGZwA=',
  '2fuxhBJXtpWFe8dOfdGeHw==': 'O9tHLAghgSvYohKFyMMxnNCHaHg=',
  'ikwCorI7PKWz17EI50jZCGbV9JU2E8bXVfxNMg5zdmqSZ2NlsQPp0kqYIPjzwTg1MBtfWPg53k0h0P2naJNEVgrqpoHTfV2b3pJ4m0zYPTJmUX4Bg/lOxcnCxAYKU29Y5F0U8Quz7ZXFBEweftXxJ7RS4r6N7BzJrPsLhY7hgck=':
    'imAoFvCWlDn4yVw3/oq1PDbbm6U=',
};

test('known contents have their known hashes', () => {
  for (const [content, hash] of Object.entries(known)) assert.equal(hashOf(Buffer.from(content, 'base64')), hash, content);
});

test('a hash is the same however the bytes are split and wherever they are in memory', () => {
  const memory = Buffer.from(new ArrayBuffer(5003));
  for (let at = 0; at < memory.length; at++) memory[at] = (at * 167 + 13) % 256;
  for (const offset of [0, 1, 2, 3]) {
    const bytes = memory.subarray(offset, offset + 4999);
    const bytewise = hashOf(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
    for (const cut of [0, 1, 159, 160, 161, 1000, 4999])
      assert.equal(hashOf(bytes.subarray(0, cut), bytes.subarray(cut)), bytewise, `from ${offset}, cut at ${cut}`);
  }
});
