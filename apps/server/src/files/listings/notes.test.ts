import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNotes } from './notes.ts';
import type { Change } from './rows/store.ts';

/** Notes over a store that ends each write when told, and keeps what it was given. */
function openNotes() {
  const writes: { folderId: number; names: (string | undefined)[]; end: PromiseWithResolvers<void> }[] = [];
  const change = (folderId: number, changes: readonly Change[]): Promise<void> => {
    const end = Promise.withResolvers<void>();
    writes.push({ folderId, names: changes.map(({ gone }) => gone), end });
    return end.promise;
  };
  return { writes, notes: createNotes({ change, now: () => 1 }) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('changes of a folder that come during a write share the next one, in their order', async () => {
  const { writes, notes } = openNotes();
  const first = notes.write(1, { gone: 'a' });
  await turn();
  const others = ['b', 'c', 'd'].map((gone) => notes.write(1, { gone }));
  const elsewhere = notes.write(2, { gone: 'x' });
  await turn();
  assert.deepEqual(
    writes.map(({ folderId, names }) => [folderId, ...names]),
    [
      [1, 'a'],
      [2, 'x'],
    ],
  );
  for (const { end } of writes) end.resolve();
  await Promise.all([first, elsewhere]);
  await turn();
  assert.deepEqual(writes[2]?.names, ['b', 'c', 'd']);
  writes[2]?.end.resolve();
  await Promise.all(others);
});

test('a write that fails tells those whose changes it had, and no others', async () => {
  const { writes, notes } = openNotes();
  const first = notes.write(1, { gone: 'a' });
  await turn();
  const second = notes.write(1, { gone: 'b' });
  writes[0]?.end.reject(new Error('locked'));
  await assert.rejects(first, /locked/);
  await turn();
  writes[1]?.end.resolve();
  await second;
});

test('very many changes are written in several transactions', async () => {
  const { writes, notes } = openNotes();
  const all = Array.from({ length: 450 }, (_, at) => notes.write(1, { gone: String(at) }));
  for (let at = 0; at < 3; at++) {
    await turn();
    writes[at]?.end.resolve();
  }
  await Promise.all(all);
  assert.deepEqual(
    writes.map(({ names }) => names.length),
    [200, 200, 50],
  );
});
