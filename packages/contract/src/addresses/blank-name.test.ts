import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlank } from './blank-name.ts';
import { isFileName } from './file-name.ts';

test('a name of only blanks and invisible characters is blank, and not a file name', () => {
  const invisible = [
    '\u200b',
    '\u200d\u200c',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u2800',
    '\u3164',
    '\u115f',
    '\u180e',
    '\ufe0f',
    '\u{e0020}',
    '\u202e',
  ];
  for (const name of ['', ' ', '\t', '\u00a0', '\u3000', '\u2028', ...invisible, ` ${invisible.join(' ')} `]) {
    assert.ok(isBlank(name), JSON.stringify(name));
    assert.ok(!isFileName(name), JSON.stringify(name));
  }
});

test('a name with a visible character is not blank', () => {
  for (const name of ['a', ' a', '\u200ba', '.', '漢', '👩\u200d👧', '\u{10fee9}', '-', 'क\u094d\u200dष'])
    assert.ok(!isBlank(name), JSON.stringify(name));
});
