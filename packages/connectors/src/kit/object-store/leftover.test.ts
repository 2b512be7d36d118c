import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptPathOf, nameOf, partialPathOf } from '../names/path.ts';
import { leftoverOf, parseLeftover } from './leftover.ts';

test('a note is read as it was written, and only the name of an unfinished upload counts as one', () => {
  const partialName = nameOf(partialPathOf('/a/b'));
  const leftover = { place: '/a/"b"\n.txt', partialName };
  assert.deepEqual(parseLeftover(leftoverOf(leftover)), leftover);
  for (const other of ['photos', '.sheaf-partial-', '.sheaf-partial-x/../photos', `${partialName}/x`, `x${partialName}`])
    assert.throws(() => parseLeftover(leftoverOf({ place: '/a', partialName: other })), { kind: 'unexpected' }, other);
  for (const note of ['', '[]', '"a"', `["a","${partialName}","c"]`])
    assert.throws(() => parseLeftover(note), { kind: 'unexpected' }, note);
});

test('an object that was moved aside is named after the upload that replaces it', () => {
  assert.equal(keptPathOf('/a.sheaf-partial-b/.sheaf-partial-01234567-89ab'), '/a.sheaf-partial-b/sheaf-kept-01234567-89ab');
});
