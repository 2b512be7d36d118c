import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsOf, problemOf, textsOf, wordsOf } from './limit-fields.ts';

test('limits are the same after a form, and empty fields limit nothing', () => {
  const limits = { links: 0, transfers: 3, bandwidth: 1_572_864 };
  assert.deepEqual(textsOf(limits), { links: '0', shares: '', transfers: '3', bandwidth: '1.5' });
  assert.deepEqual(limitsOf(textsOf(limits)), limits);
  assert.equal(wordsOf(limits), '0 links, 3 transfers at once, 1.5 MiB a second');
  assert.equal(wordsOf({}), '');
});

test('a field explains what it accepts', () => {
  for (const [name, text] of [
    ['links', '1.5'],
    ['links', '-1'],
    ['transfers', '0'],
    ['shares', 'many'],
    ['bandwidth', '0'],
  ] as const)
    assert.match(problemOf(name, text) ?? '', /^A number from [\d.]+ to [\d,]+, or nothing\.$/, `${name} ${text}`);
  for (const [name, text] of [
    ['links', ''],
    ['links', '0'],
    ['bandwidth', '0,5'],
  ] as const)
    assert.equal(problemOf(name, text), undefined);
});
