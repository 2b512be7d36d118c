import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionOf, graphTime, idOfMediaName, mediaName } from './media-names.ts';

const created = Date.UTC(2026, 3, 6, 22, 3, 54) / 1000;
const name = (text: string | undefined, extension = '.jpg') => mediaName({ id: '1015', created, text, extension });

test('a name contains the day, the first line of the text and the id, which can be read back', () => {
  for (const [text, expected] of [
    ['Quay', '2026-04-06 Quay 1015.jpg'],
    [undefined, '2026-04-06 1015.jpg'],
    ['\n  Two\tlines \nof it', '2026-04-06 Two lines 1015.jpg'],
    ['a/b\\c\u0007d', '2026-04-06 a b c d 1015.jpg'],
    ['\ud800', '2026-04-06 1015.jpg'],
    ['In 1999.', '2026-04-06 In 1999. 1015.jpg'],
  ] as const) {
    assert.equal(name(text), expected);
    assert.equal(idOfMediaName(expected), '1015');
  }
  assert.equal(mediaName({ id: '7', created: undefined, text: undefined, extension: '' }), '7');
  assert.equal(idOfMediaName('7'), '7');
  assert.equal(idOfMediaName('2026-04-06 Three days 1015'), '1015');
  for (const none of ['', 'words', '2026-04-06', 'IMG_1015.jpg', '1015.jpg/x']) assert.equal(idOfMediaName(none), undefined, none);
});

test('long text is cut between characters as people see them', () => {
  const long = name('👩‍👩‍👧'.repeat(50));
  assert.ok(Buffer.byteLength(long) < 150);
  assert.match(long, /^2026-04-06 (👩‍👩‍👧)+ 1015\.jpg$/u);
});

test('times are parsed with and without a colon in their zone', () => {
  for (const text of ['2026-04-06T22:03:54+0000', '2026-04-07T00:03:54+02:00', '2026-04-06T22:03:54Z'])
    assert.equal(graphTime(text), created);
  for (const text of ['', undefined, null, 'yesterday', '2026-99-99T00:00:00+0000']) assert.equal(graphTime(text), undefined);
});

test('an extension is taken from an address if it is a known one', () => {
  assert.equal(extensionOf('https://cdn.example/v/t1/123_n.PNG?oh=1.jpg', ['.jpg', '.png'], '.jpg'), '.png');
  assert.equal(extensionOf('https://cdn.example/v/123.exe', ['.jpg'], '.jpg'), '.jpg');
  assert.equal(extensionOf(undefined, ['.jpg'], '.jpg'), '.jpg');
});
