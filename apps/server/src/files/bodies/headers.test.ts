import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { inlineTypeOf, mediaTypeOf } from '#/files/items/media-type.ts';
import { rangeOf } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import { isRangeOfSame, isUnchanged, validatorsOf } from './validators.ts';

test('a range header selects a part, the whole, or nothing that exists', () => {
  const size = 100;
  const table: readonly [string | undefined, ReturnType<typeof rangeOf>][] = [
    [undefined, undefined],
    ['bytes=0-', { start: 0, end: 100 }],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=10-19', { start: 10, end: 20 }],
    ['bytes=90-1000', { start: 90, end: 100 }],
    ['bytes=99-', { start: 99, end: 100 }],
    ['bytes=-1', { start: 99, end: 100 }],
    ['bytes=-1000', { start: 0, end: 100 }],
    ['BYTES= 5-6', { start: 5, end: 7 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes=a-b', undefined],
    ['bytes=-5-', undefined],
    ['items=0-1', undefined],
  ];
  for (const [header, expected] of table) assert.deepEqual(rangeOf(header, size), expected, header ?? 'no header');
  assert.equal(rangeOf('bytes=0-', 0), 'unsatisfiable');
});

test('any range header selects a part within the file', () => {
  const number = fc.oneof(
    fc.constant(''),
    fc.nat(200).map((value) => `${value}`),
    fc.bigInt({ min: 0n, max: 10n ** 30n }).map((value) => `${value}`),
  );
  fc.assert(
    fc.property(number, number, fc.nat(150), (first, last, size) => {
      const range = rangeOf(`bytes=${first}-${last}`, size);
      if (range === undefined || range === 'unsatisfiable') return;
      assert.ok(range.start >= 0 && range.start < range.end && range.end <= size);
    }),
  );
});

test('a file is saved under its own name, whatever the name', () => {
  assert.equal(contentDisposition('attachment', 'a b.txt'), 'attachment; filename="a b.txt"');
  assert.equal(contentDisposition('attachment', 'é.txt'), `attachment; filename="_.txt"; filename*=UTF-8''%C3%A9.txt`);
  assert.equal(contentDisposition('inline', `a"b\\c%41.txt`), `inline; filename="a_b_c_41.txt"; filename*=UTF-8''a%22b%5Cc%2541.txt`);
  assert.equal(
    contentDisposition('attachment', "it's (1)*漢"),
    `attachment; filename="it's (1)*_"; filename*=UTF-8''it%27s%20%281%29%2A%E6%BC%A2`,
  );
});

test('no name breaks out of its header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const header = contentDisposition('attachment', name);
      assert.match(header, /^attachment; filename="[\u0020-\u007e]*"(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]*)?$/);
      const [, encoded] = header.split("UTF-8''");
      if (encoded !== undefined) assert.equal(decodeURIComponent(encoded), name.toWellFormed());
    }),
  );
});

test('a file that could act as a page is never shown inside the browser', () => {
  for (const name of ['a.html', 'a.htm', 'a.xhtml', 'a.svg', 'a.xml', 'a.pdf', 'a.mht', 'a.xsl', 'a.exe', 'a', 'a.swf', 'a.rss'])
    assert.equal(inlineTypeOf(mediaTypeOf(name)), undefined, name);
  for (const told of [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'video/x+xml',
    'application/xhtml+xml',
    ' text/xml',
    'image/png\r\nx: y',
    'video/',
  ])
    assert.equal(inlineTypeOf(told), undefined, told);
});

test("the source's type of a file is used if it is a media type, and never breaks the header", () => {
  for (const told of ['text/x-own', 'TEXT/Plain; charset=utf-8', 'application/vnd.api+json ;v="1"'])
    assert.equal(mediaTypeOf('a.png', told), told);
  for (const told of [
    '',
    'x',
    'text/',
    'text/“plain”',
    'text/plain\r\nX-Evil: 1',
    'image/png\0',
    'text/plain; name="ü\u0161"',
    'image/png, text/html',
    // Types that S3 and Azure report for an object stored without one.
    'application/octet-stream',
    'binary/octet-stream',
  ])
    assert.equal(mediaTypeOf('a.png', told), 'image/png', told);
  assert.equal(mediaTypeOf('no ending', 'binary/octet-stream'), 'application/octet-stream');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (told) => validateHeaderValue('content-type', mediaTypeOf('a.txt', `text/${told}`))),
  );
});

test('pictures, audio, video and plain text are shown', () => {
  assert.equal(inlineTypeOf(mediaTypeOf('a.PNG')), 'image/png');
  assert.equal(inlineTypeOf(mediaTypeOf('a.mp4')), 'video/mp4');
  assert.equal(inlineTypeOf(mediaTypeOf('a.mp3')), 'audio/mpeg');
  for (const name of ['a.txt', 'a.md', 'a.css', 'a.js', 'a.csv', 'a.json'])
    assert.equal(inlineTypeOf(mediaTypeOf(name)), 'text/plain; charset=utf-8', name);
});

test('a copy is unchanged if its tag matches; its date counts only without one', () => {
  const validators = validatorsOf({ etag: 'x"y', modified: 1_700_000_000 });
  const { etag = '', lastModified = '' } = validators;
  assert.match(etag, /^"[\w-]{22}"$/);
  assert.equal(lastModified, 'Tue, 14 Nov 2023 22:13:20 GMT');
  assert.ok(isUnchanged({ 'if-none-match': `"other", W/${etag}` }, validators));
  assert.ok(isUnchanged({ 'if-none-match': '*' }, validators));
  assert.ok(!isUnchanged({ 'if-none-match': '"other"', 'if-modified-since': lastModified }, validators));
  assert.ok(isUnchanged({ 'if-modified-since': lastModified }, validators));
  assert.ok(!isUnchanged({ 'if-modified-since': 'Tue, 14 Nov 2023 22:13:19 GMT' }, validators));
  assert.ok(!isUnchanged({ 'if-modified-since': 'yesterday' }, validators));
  assert.ok(!isUnchanged({}, validators));
});

test('a range is added only to a copy of the same version', () => {
  const validators = validatorsOf({ modified: 1_700_000_000, size: 5 });
  assert.ok(isRangeOfSame({}, validators));
  assert.ok(isRangeOfSame({ 'if-range': validators.etag ?? '' }, validators));
  assert.ok(isRangeOfSame({ 'if-range': validators.lastModified ?? '' }, validators));
  assert.ok(!isRangeOfSame({ 'if-range': validatorsOf({ modified: 1_700_000_000, size: 6 }).etag ?? '' }, validators));
  assert.deepEqual(validatorsOf({}), {});
});
