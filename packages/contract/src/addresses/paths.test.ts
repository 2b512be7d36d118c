import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safePath } from './paths.ts';

test('a path of this installation keeps its query and hash', () => {
  for (const path of [
    '/',
    '/links',
    '/account/mysheaf?catid=spaces&createDialog=true',
    '/upgrade#purchaseScreen',
    '/browse/a%20b/%5Cx',
    '/browse/%2Fetc',
  ])
    assert.equal(safePath(path, '/home'), path);
});

test('an address that could lead to another site becomes the fallback', () => {
  const hostile = [
    undefined,
    '',
    'links',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/links\r\nSet-Cookie: a=b',
    '/\u0000',
    '/\u007F',
    '/a b',
  ];
  for (const value of hostile) assert.equal(safePath(value, '/home'), '/home', JSON.stringify(value));
});
