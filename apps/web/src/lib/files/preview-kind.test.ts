import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConverted, previewKindOf } from './preview-kind.ts';

test("a file's preview depends on its name, then on its type; otherwise there is none", () => {
  const table: readonly [name: string, mimeType: string | undefined, kind: ReturnType<typeof previewKindOf>][] = [
    ['a.JPG', undefined, 'image'],
    ['a.svg', 'image/svg+xml', 'image'],
    ['film.mkv', undefined, 'video'],
    ['a.flac', undefined, 'audio'],
    ['a.pdf', undefined, 'pdf'],
    ['README.md', undefined, 'markdown'],
    ['a.csv', 'text/csv', 'table'],
    ['a.zip', undefined, 'archive'],
    ['main.ts', 'video/mp2t', 'code'],
    ['page.html', 'text/html', 'code'],
    ['Dockerfile', undefined, 'code'],
    ['LICENSE', undefined, 'text'],
    ['notes', 'text/plain', 'text'],
    ['shot', 'image/png', 'image'],
    ['clip', 'video/mp4', 'video'],
    ['data.bin', 'application/octet-stream', undefined],
    ['letter.docx', undefined, 'office'],
    ['costs', 'application/vnd.oasis.opendocument.spreadsheet', 'office'],
    ['letter.doc', undefined, undefined],
  ];
  for (const [name, mimeType, kind] of table) assert.equal(previewKindOf({ name, mimeType }), kind, name);
});

test('a format that no browser shows is previewed when a picture can be made of it', () => {
  for (const name of ['a.heic', 'scan.TIF', 'scan.tiff']) {
    assert.equal(previewKindOf({ name }), undefined);
    assert.equal(previewKindOf({ name, thumbnailUrl: '/t?' }), 'image');
    assert.ok(isConverted({ name }));
  }
  assert.equal(isConverted({ name: 'a.png', mimeType: 'image/png' }), false);
});
