import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childUri, linkUriOf, parentUri, parseLinkUri } from './link-uri.ts';

/** One name for each code point that a name can contain. */
const everyName = function* () {
  for (let point = 1; point <= 0x10ffff; point += point < 0x3000 ? 1 : 97) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (character !== '/' && character !== '.') yield character;
  }
};

test('every name is parsed from its address unchanged', () => {
  const names = [
    'a b',
    '#',
    '100%',
    'a&b+c',
    `"'`,
    '🙂',
    '漢字',
    'é',
    'e\u0301',
    '.hidden',
    'trailing ',
    '\\',
    'a\\b',
    '...',
    'x'.repeat(255),
  ];
  for (const name of [...names, ...everyName()]) {
    const path = `/folder/${name}`;
    assert.deepEqual(parseLinkUri(linkUriOf('Ab1', path)), { userLinkId: 'Ab1', path });
    assert.equal(childUri(linkUriOf('Ab1', '/folder'), name), linkUriOf('Ab1', path));
  }
});

test("a link's root is its id alone, and has no parent", () => {
  assert.equal(linkUriOf('Ab1', '/'), '/Ab1');
  assert.deepEqual(parseLinkUri('/Ab1'), { userLinkId: 'Ab1', path: '/' });
  assert.equal(parentUri('/Ab1'), undefined);
  assert.equal(parentUri('/Ab1/a/b%20c'), '/Ab1/a');
});

test('a hostile address is refused', () => {
  const hostile = [
    '',
    '/',
    '//',
    'Ab1',
    '/Ab1/',
    '/Ab1//a',
    '/Ab1/.',
    '/Ab1/..',
    '/Ab1/%2e%2e',
    '/Ab1/.%2E/x',
    '/Ab1/a%2Fb',
    '/Ab1/a%2f..%2f..',
    '/Ab1/a%00',
    '/Ab1/a\0',
    '/Ab1/%',
    '/Ab1/%zz',
    '/Ab1/%c0%ae%c0%ae',
    '/Ab1/%ed%a0%80',
    '/Ab1/\ud800',
    '/Ab1/a?b',
    '/Ab1/a#b',
    '/Ab1/a\\b',
    '/../Ab1',
    '/Ab 1',
    '/%41b1',
    'https://elsewhere.example/Ab1',
    `/Ab1/${'x'.repeat(40_000)}`,
  ];
  for (const linkUri of hostile) assert.equal(parseLinkUri(linkUri), undefined, linkUri.slice(0, 40));
});

test('a name with a lone surrogate still gets an address', () => {
  assert.equal(linkUriOf('Ab1', '/a\ud800'), '/Ab1/a%EF%BF%BD');
});

test('a path with more names than any source supports is refused before the source is asked for each of them', () => {
  assert.ok(parseLinkUri(`/Ab1${'/a'.repeat(512)}`));
  assert.equal(parseLinkUri(`/Ab1${'/a'.repeat(513)}`), undefined);
  assert.equal(parseLinkUri(`/Ab1${'/a'.repeat(16_000)}`), undefined);
});
