import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsIn, templateOf } from './columns.ts';

test('columns come from what was stored, and whatever is not valid from the default', () => {
  const plain = { shown: ['size', 'modified'], widths: { size: 84, modified: 132, type: 120 } };
  for (const text of [null, '', 'x', '[]', '7', '{"shown":3,"widths":"wide"}']) assert.deepEqual(columnsIn(text), plain, String(text));
  const stored = columnsIn('{"shown":["type","other","size"],"widths":{"size":9999,"type":1}}');
  assert.deepEqual(stored, { shown: ['size', 'type'], widths: { size: 360, modified: 132, type: 64 } });
  assert.equal(templateOf(stored), '28px 32px minmax(0, 1fr) 360px 64px 32px');
});
