import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteFolder } from './folder-left.ts';

test('going up reports which folder was left, by one step or by several', () => {
  assert.equal(noteFolder(['Server', 'a', 'b']), undefined);
  assert.equal(noteFolder(['Server', 'a']), 'b');
  noteFolder(['Server', 'a', 'b', 'c']);
  assert.equal(noteFolder(['Server']), 'a');
});

test('going down, sideways or to another link leaves nothing to return to', () => {
  noteFolder(['Server', 'a']);
  for (const names of [['Server', 'a', 'b'], ['Server', 'a', 'c'], ['Other'], ['Other']]) assert.equal(noteFolder(names), undefined);
});
