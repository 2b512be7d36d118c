import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileNameAt } from './file-name.ts';

const named = (disposition?: string, address = 'https://files.example/a/b.txt?token=1') => fileNameAt(new URL(address), disposition);

test('a file gets the name that the server sends, otherwise that of the address, otherwise the host', () => {
  assert.equal(named(`attachment; filename="plain.txt"; filename*=UTF-8''%C3%BCber%20all.txt`), 'über all.txt');
  assert.equal(named('attachment; filename="a \\"quoted\\" name.txt"'), 'a "quoted" name.txt');
  assert.equal(named('inline; filename=token.txt'), 'token.txt');
  assert.equal(named(`attachment; filename*=UTF-8''%FF; filename=fallback.txt`), 'fallback.txt');
  assert.equal(named('attachment'), 'b.txt');
  assert.equal(named(undefined, 'https://files.example/%C3%A4%20b.txt'), 'ä b.txt');
  assert.equal(named(undefined, 'https://files.example/'), 'files.example');
});

test('no name that a server gives leaves its folder, hides, or holds control characters', () => {
  assert.equal(named('attachment; filename="../../etc/passwd"'), 'passwd');
  assert.equal(named('attachment; filename="C:\\\\Windows\\\\win.ini"'), 'win.ini');
  assert.equal(named('attachment; filename="...hidden"'), 'hidden');
  assert.equal(named('attachment; filename=".."'), 'b.txt');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const name = named(`attachment; filename*=UTF-8''${encodeURIComponent(text.toWellFormed())}`);
      assert.ok(
        name !== '' &&
          !name.startsWith('.') &&
          ![...name].some((one) => '/\\\u007f'.includes(one) || one < ' ') &&
          Buffer.byteLength(name) <= 255,
        name,
      );
    }),
  );
});
