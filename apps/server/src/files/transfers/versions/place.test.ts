import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkUriOf } from '@sheaf/contract';
import { versionPathOf } from './place.ts';

test('transfers that begin at the same time keep their versions in folders of their own', () => {
  const target = JSON.stringify({ linkUri: linkUriOf('1', '/to'), path: '' });
  const at = (id: string): string => versionPathOf({ id, target, createdAt: 1_800_000_000_000 }, '/to/deep/a');
  assert.equal(at('0abc-first1'), '/to/.sheaf-versions/2027-01-15T08-00-00-first1/deep/a');
  assert.notEqual(at('0abc-first1'), at('0abc-second'));
});
