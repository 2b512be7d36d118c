import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, isPassword, nobody } from './password.ts';

/** Everything of a hash that decides how long a comparison takes: algorithm, version and cost. */
const costOf = (hash: string): string => hash.split('$').slice(0, 4).join('$');

test('a comparison for an unknown account computes a hash of the same cost as for a real one, and never matches', async () => {
  assert.equal(costOf(nobody), costOf(await hashPassword('correct horse battery')));
  for (const stored of [undefined, null]) assert.equal(await isPassword('correct horse battery', stored), false);
});
