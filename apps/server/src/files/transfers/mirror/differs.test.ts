import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differs } from './differs.ts';

test('equal hashes outweigh a different time, and different hashes an equal size and time', () => {
  assert.equal(differs({ size: 3, modified: 900, hashes: { md5: 'a' } }, { size: 3, modified: 100, hashes: { md5: 'a' } }), false);
  assert.equal(differs({ size: 3, modified: 100, hashes: { md5: 'a' } }, { size: 3, modified: 100, hashes: { md5: 'b' } }), true);
  assert.equal(differs({ size: 3, modified: 100, hashes: { md5: 'a' } }, { size: 3, modified: 100, hashes: { sha1: 'b' } }), false);
});

test('without a common hash a different size or a later change at the source counts; a later upload time does not', () => {
  assert.equal(differs({ size: 3, modified: 100 }, { size: 4, modified: 100 }), true);
  assert.equal(differs({ size: 3, modified: 103 }, { size: 3, modified: 100 }), true);
  assert.equal(differs({ size: 3, modified: 102 }, { size: 3, modified: 100 }), false);
  assert.equal(differs({ size: 3, modified: 100 }, { size: 3, modified: 900 }), false);
  assert.equal(differs({ size: 3 }, { size: 3, modified: 900 }), false);
});

test('a file that nothing can compare is copied again', () => {
  assert.equal(differs({}, { size: 3 }), true);
  assert.equal(differs({ modified: 100 }, { modified: 200 }), false);
});

test('a file that the destination rewrites is compared by time alone', () => {
  const there = { size: 9, modified: 200, hashes: { md5: 'b' } };
  assert.equal(differs({ size: 3, modified: 100, hashes: { md5: 'a' } }, there, true), false);
  assert.equal(differs({ size: 3, modified: 300, hashes: { md5: 'a' } }, there, true), true);
});
