import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import { itemsText } from './item-text.ts';
import { itemOf } from './items.ts';

const names = [
  'plain-name_1.jpg',
  'Ünïcödé Ordner.png',
  'quote".jpg',
  'back\\slash.jpg',
  'line\nbreak',
  "it's (1)!~*.gif",
  'a%20b&c=d+e.jpg',
  'no extension',
  '.hidden',
  'lone \ud800 surrogate.jpg',
  '日本語.pdf',
  'x.toString',
];
const facts: readonly Partial<Entry>[] = [
  {},
  { size: 0, modified: 1_700_000_000.9 },
  { size: Number.NaN, modified: Number.NaN },
  { size: 3, modified: -1.5, etag: '"é/ü"&v=2\ud800', mimeType: 'image/webp; q="1"' },
  { mimeType: 'application/pdf', etag: '' },
];

test('the text of a page equals that of its items, whatever their names and fields [BRW-17]', () => {
  const entries = names.flatMap((name) =>
    facts.flatMap((fact) => (['file', 'folder'] as const).map((kind): Entry => ({ ...fact, name, kind }))),
  );
  for (const folderUri of ['/Link1', '/Link1/My%20folder', '/Link1/raw "quoted" ü'])
    for (const shown of [{}, { makesThumbnails: true }, { makesThumbnails: true, brief: true }])
      assert.equal(itemsText(folderUri, entries, shown), JSON.stringify(entries.map((entry) => itemOf(folderUri, entry, shown))));
  assert.equal(itemsText('/Link1', [], {}), '[]');
});
