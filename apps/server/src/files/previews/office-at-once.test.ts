import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ByteRange } from '@sheaf/connectors';
import { packed } from '#/testing/packed.ts';
import { officeTextOf } from './office-text.ts';

test('at most four documents are held at a time, however many are requested', async () => {
  const bytes = packed({ 'word/document.xml': '<d><p><t>x</t></p></d>' }, { stored: true });
  let [reading, most] = [0, 0];
  const file = {
    name: 'a.docx',
    provider: 'Memory',
    stat: async () => ({ name: 'a.docx', kind: 'file' as const, size: bytes.length }),
    async read(_signal: AbortSignal, { range: { start, end = bytes.length } = { start: 0 } }: { readonly range?: ByteRange } = {}) {
      most = Math.max(most, (reading += 1));
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      reading -= 1;
      const drain = async (take: (chunk: Uint8Array) => Promise<void> | undefined) => take(bytes.subarray(start, end));
      return { size: end - start, entry: {}, drain, cancel: () => undefined };
    },
  };
  const texts = await Promise.all(Array.from({ length: 30 }, () => officeTextOf(file, AbortSignal.timeout(20_000))));
  assert.ok(texts.every(({ sections }) => sections[0]?.rows[0]?.[0] === 'x'));
  assert.equal(most, 4);
});
