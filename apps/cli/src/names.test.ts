import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localName, printable } from './names.ts';

test('a name that would leave the folder, or that the system cannot store, creates no local file', () => {
  for (const name of ['', '.', '..', 'a/b', '/etc/passwd', '../x', 'a\0b'])
    assert.throws(() => localName(name, 'linux'), { name: 'Failure' }, name);
  for (const name of ['a\\b', '..\\x', 'C:x', 'con', 'NUL.txt', 'ends.', 'ends ', 'what?'])
    assert.throws(() => localName(name, 'win32'), { name: 'Failure' }, name);
  for (const name of ['a b', 'Grüße.txt', 'console.log']) assert.equal(localName(name, 'win32'), name);
  assert.equal(localName('a\\b', 'linux'), 'a\\b');
});

test('printed names cannot control the terminal', () => {
  assert.equal(printable('\u001b[2Jevil\n\u202egpj'), '\\u001b[2Jevil\\u000a\\u202egpj');
});
