import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldName, isFileName, numberedName, splitExtension } from './file-name.ts';

test('a file name is one path segment of at most 255 bytes', () => {
  for (const name of ['a', '.hidden', ' trailing ', 'a:b?*', '\\', 'x'.repeat(255), '漢'.repeat(85), '...'])
    assert.ok(isFileName(name), name);
  for (const name of ['', '.', '..', 'a/b', '/', 'a\0', '\ud800', 'x'.repeat(256), '漢'.repeat(86)]) assert.ok(!isFileName(name), name);
});

test('a number goes before the extension of a file and at the end of a folder name', () => {
  assert.equal(numberedName('a.txt', 2, 'file'), 'a 2.txt');
  assert.equal(numberedName('a.tar.gz', 3, 'file'), 'a 3.tar.gz');
  assert.equal(numberedName('.profile', 2, 'file'), '.profile 2');
  assert.equal(numberedName('notes', 2, 'file'), 'notes 2');
  assert.equal(numberedName('v1.2 of it', 2, 'file'), 'v1.2 of it 2');
  assert.equal(numberedName('a.b', 2, 'folder'), 'a.b 2');
});

test('a numbered name has at most 255 bytes and splits no character', () => {
  const numbered = numberedName(`${'🙂'.repeat(62)}.jpeg`, 10, 'file');
  assert.equal(numbered, `${'🙂'.repeat(61)} 10.jpeg`);
  assert.ok(isFileName(numbered));
});

test('renaming selects the stem', () => {
  assert.deepEqual(splitExtension('Report.final.PDF'), { stem: 'Report.final', extension: '.PDF' });
  assert.deepEqual(splitExtension('.env'), { stem: '.env', extension: '' });
});

test('folding makes different spellings of a name equal', () => {
  assert.equal(foldName('CAFÉ'), foldName('cafe\u0301'));
  assert.equal(foldName('İstanbul'), 'istanbul');
  assert.notEqual(foldName('a'), foldName('b'));
});
