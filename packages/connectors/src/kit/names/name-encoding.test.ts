import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSegment, segmentOf } from '../../core/segment.ts';
import { nameOfPart, partOfName } from './name-encoding.ts';

const tricky = fc.stringMatching(/^[\u241b:. a\u00e9]{0,6}$/);

test('every part of a key has its own name that decodes to it', () => {
  fc.assert(
    fc.property(
      tricky.filter((part) => part === '' || isSegment(part)),
      fc.boolean(),
      (part, folder) => {
        assert.deepEqual(partOfName(segmentOf(nameOfPart(part, folder))), { part, folder });
      },
    ),
  );
});

test('a name is never empty, a dot or two dots', () => {
  assert.deepEqual(
    ['', '.', '..'].map((part) => nameOfPart(part)),
    ['\u241b', '\u241b.', '\u241b..'],
  );
});

test('ordinary names are unchanged', () => {
  for (const name of ['a', '.hidden', '...', 'caf\u00e9', 'cafe\u0301', 'a\u241b', ' ']) assert.equal(nameOfPart(name), name);
});

test('every name a user can type decodes to a part with that name', () => {
  fc.assert(
    fc.property(
      tricky.filter((name) => isSegment(name) && !/^\u241b:?\.\.?(?: [. ]*)?$/.test(name)),
      (name) => {
        const { part, folder } = partOfName(segmentOf(name));
        assert.equal(nameOfPart(part, folder), name);
      },
    ),
  );
});

test('no name decodes to a part that is a dot or two dots, although such parts are listed', () => {
  for (const name of ['\u241b.', '\u241b..', '\u241b.. ', '\u241b:.', '\u241b:..', nameOfPart('..'), nameOfPart('..', true)])
    assert.throws(() => partOfName(segmentOf(name)), { kind: 'badName' }, name);
});
