import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { planReasons } from '@sheaf/contract';
import { loadErrorRows } from '#/lib/http/error-text.ts';
import { rulesFor, sayOf } from './plan-words.ts';

before(loadErrorRows);

const item = { from: '/a.txt', to: '/a.txt', action: 'create', state: 'waiting' } as const;

test('an item says what happens to it, then how it was verified or why it failed', () => {
  assert.equal(sayOf(item), 'New');
  assert.equal(sayOf({ ...item, action: 'rename', to: '/b/a 2.txt' }), 'Kept as a 2.txt');
  const forced = { ...item, action: 'rename', reason: 'name_reserved', to: '/b/_CON' } as const;
  assert.equal(sayOf(forced), 'Becomes _CON. The destination reserves this name');
  assert.equal(sayOf({ ...item, action: 'skip', reason: 'older' }), 'The one there is not older');
  assert.equal(sayOf({ ...item, state: 'done', proof: 'hash' }), 'Verified by hash');
  const error = { errorCode: 709, messageCode: 'SOURCE_FULL', message: '', details: { provider: 'SFTP' } };
  assert.equal(sayOf({ ...item, state: 'failed', error }), 'SFTP has no room left for this.');
});

test('rules are offered only where a rule can decide', () => {
  const offered = planReasons.map((reason) => `${reason} ${rulesFor({ action: 'problem', reason }).length}`);
  assert.deepEqual(offered, [
    'name_taken 4',
    'kind_differs 2',
    'same_place 0',
    'older 0',
    'case_twin 4',
    'name_refused 0',
    'link 0',
    'too_large 0',
    'unreadable 0',
    'name_characters 0',
    'name_reserved 0',
    'name_length 0',
    'path_length 0',
    'folder_full 0',
    'unchanged 0',
    'not_at_source 0',
  ]);
  assert.deepEqual(rulesFor({ action: 'create' }), []);
});
