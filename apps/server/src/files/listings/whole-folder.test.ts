import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Entry } from '@sheaf/connectors';
import fc from 'fast-check';
import { createWholeFolders } from './whole-folder.ts';

const { signal } = new AbortController();
const file = (name: string): Entry => ({ name, kind: 'file' });
const of = (...batches: readonly (readonly Entry[])[]) => ({
  async *list() {
    yield* batches;
  },
});

test('entries come by name, whatever their number and order, and only the wanted ones', async () => {
  const read = createWholeFolders();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), async (names) => {
      const { entries, release } = await read({ userId: 'mara', connector: of(names.map(file)), path: '/', signal });
      release();
      assert.deepEqual(
        entries.map(({ name }) => name),
        names.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)),
      );
    }),
    { numRuns: 30 },
  );
  const many = Array.from({ length: 23_000 }, (_, at) => file(String((at * 7919) % 23_000).padStart(5, '0')));
  let turns = 0;
  let isOver = false;
  const work = read({ userId: 'mara', connector: of(many), path: '/', isWanted: ({ name }) => name !== '00007', signal }).finally(
    () => (isOver = true),
  );
  for (; !isOver; turns++) await turn();
  const { entries } = await work;
  assert.deepEqual([entries.length, entries[7]?.name, entries.at(-1)?.name], [22_999, '00008', '22999']);
  assert.ok(turns > 10, `others had ${turns} turns`);
});

test('a folder without end is given up, for one account before it takes the memory of others, and memory is given back', async () => {
  const read = createWholeFolders({ ofAccount: 100_000, inAll: 250_000 });
  const endless = {
    async *list() {
      for (;;) yield [file('a'.repeat(100))];
    },
  };
  const busy = { messageCode: 'LISTINGS_BUSY' };
  await assert.rejects(read({ userId: 'mara', connector: endless, path: '/', signal }), busy);
  const whole = (userId: string) =>
    read({ userId, connector: of(Array.from({ length: 400 }, () => file('a'.repeat(100)))), path: '/', signal });
  const held = [await whole('mara'), await whole('ben'), await whole('cleo')];
  await assert.rejects(whole('mara'), busy);
  await assert.rejects(whole('dan'), busy);
  held.forEach(({ release }) => release());
  (await whole('mara')).release();
});
