import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NameRules } from '../../core/storage-limits.ts';
import { fitName, fitsName, nameKey, rulesBelow, taggedName } from './fit-name.ts';

const strict: NameRules = {
  forbidden: /["*:<>?/\\|\p{Cc}]|_vti_/giu,
  badStart: /^[\s~]/u,
  badEnd: /[\s.]$/u,
  reserved: /^(?:\.lock|con|com\d|desktop\.ini)$/i,
  length: { most: 60, unit: 'utf16' },
  pathLength: { most: 100, unit: 'utf16' },
  ignoresCase: true,
};
const bytes: NameRules = { length: { most: 40, unit: 'bytes' } };
const characters: NameRules = { length: { most: 40, unit: 'characters' }, ignoresForm: true };

const names = fc
  .array(
    fc.constantFrom('a', 'B', '.', ' ', ':', '~', '_vti_', 'con', '.txt', '漢', 'e\u0301', '🙂', '\n', '\u00a0', '-long-part-of-a-name'),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
  .filter((name) => name !== '.' && name !== '..');

test('the fitted form of any name fits, is the same each time, and is stable', () => {
  fc.assert(
    fc.property(fc.constantFrom(strict, bytes, characters, {}), names, fc.constantFrom('file', 'folder'), (rules, name, kind) => {
      const fitted = fitName(rules, name, kind, '/a/folder');
      assert.ok(fitted);
      assert.deepEqual(fitName(rules, name, kind, '/a/folder'), fitted);
      assert.ok(fitsName(rules, fitted.name, kind, '/a/folder'), fitted.name);
      assert.equal(fitted.fault === undefined, fitted.name === name);
      const tagged = taggedName(rules, fitted.name, kind, '/a/folder');
      assert.ok(tagged !== undefined);
      assert.notEqual(tagged, fitted.name);
      assert.ok(fitsName(rules, tagged, kind, '/a/folder'), tagged);
    }),
  );
});

test('forbidden characters are replaced by similar ones, and reserved names get an underscore in front', () => {
  for (const [name, expected, fault] of [
    ['a:b?.txt', 'a：b？.txt', 'characters'],
    ['ends. ', 'ends.␠', 'characters'],
    ['ends.', 'ends．', 'characters'],
    ['~$doc.docx', '～$doc.docx', 'characters'],
    ['two\nlines', 'two␊lines', 'characters'],
    ['a_vti_b', 'a_vti＿b', 'characters'],
    ['CON', '_CON', 'reserved'],
    ['desktop.ini', '_desktop.ini', 'reserved'],
  ] as const)
    assert.deepEqual(fitName(strict, name), { name: expected, fault });
  assert.deepEqual(fitName(strict, 'console.txt'), { name: 'console.txt' });
});

test('long names are shortened before their extension, and two of them stay different', () => {
  const [one, other] = ['x', 'y'].map((end) => fitName(bytes, `${'a'.repeat(60)}${end}.jpeg`));
  assert.match(one?.name ?? '', /^a{26}~[0-9a-f]{8}\.jpeg$/);
  assert.equal(one?.fault, 'length');
  assert.notEqual(one?.name, other?.name);
});

test('a path that is too long shortens the name, until no name fits', () => {
  const long = `${'n'.repeat(50)}.txt`;
  assert.equal(fitName(strict, long, 'file', `/${'f'.repeat(60)}`)?.fault, 'pathLength');
  assert.equal(fitName(strict, long, 'file', `/${'f'.repeat(95)}`), undefined);
  assert.equal(fitName(strict, 'a', 'file', `/${'f'.repeat(95)}`)?.name, 'a');
  const below = rulesBelow(strict, `/${'f'.repeat(59)}`);
  assert.deepEqual(fitName(below, long, 'file', '/'), fitName(strict, long, 'file', `/${'f'.repeat(59)}`));
});

test('names are equal by case and form where the source treats them as equal', () => {
  assert.equal(nameKey(strict, 'README'), nameKey(strict, 'readme'));
  assert.notEqual(nameKey(strict, 'Caf\u00e9'), nameKey(strict, 'Cafe\u0301'));
  assert.equal(nameKey(characters, 'Caf\u00e9'), nameKey(characters, 'Cafe\u0301'));
  assert.notEqual(nameKey({}, 'README'), nameKey({}, 'readme'));
});
