import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemorySource } from '@sheaf/connectors/memory';
import { appError, linkUriOf } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import type { Pair, Speed } from '../rows/speed-store.ts';
import type { TransferRow } from '../rows/store.ts';
import { createSpeeds } from './speeds.ts';

const mib = 1024 * 1024;

async function setting() {
  const stored = new Map<string, Pair & Speed>();
  const keyOf = ({ fromLinkId, toLinkId }: Pair) => `${fromLinkId} ${toLinkId}`;
  const connector = await createMemorySource().definition.open(
    {},
    { dialer: undefined as never, remember: async () => {}, recall: async () => undefined },
  );
  const open: Links['open'] = async (_user, userLinkId) => {
    if (userLinkId === 'removed') throw appError('INVALID_LINK_URI', {});
    return {
      userLinkId,
      name: userLinkId,
      provider: 'Memory',
      hasBin: false,
      transferSlots: 1,
      connector,
    };
  };
  const best = (rows: readonly Speed[], field: keyof Speed): number | null =>
    rows.reduce<number | null>((most, row) => (row[field] === null ? most : Math.max(most ?? 0, row[field])), null);
  const speeds = createSpeeds({
    links: { open, findByName: async () => undefined, checkMember: async () => {} },
    store: {
      find: async (pair) => stored.get(keyOf(pair)),
      async best(end, linkId) {
        const rows = [...stored.values()].filter((row) => row[end] === linkId);
        return { bytesPerSecond: best(rows, 'bytesPerSecond'), itemsPerSecond: best(rows, 'itemsPerSecond') };
      },
      save: async (pair, speed) => void stored.set(keyOf(pair), { ...pair, ...speed }),
    },
  });
  const transfer = (from: string, to: string, bytesPerSecond: number | null = null) =>
    ({
      accountId: 'mara',
      bytesPerSecond,
      sources: JSON.stringify([{ linkUri: linkUriOf(from, '/a'), path: '', isFolder: true }]),
      target: JSON.stringify({ linkUri: linkUriOf(to, '/b'), path: '', isFolder: true }),
    }) as TransferRow;
  return { speeds, transfer };
}

test('the estimate follows the measured speed of the links, with more weight on later runs', async () => {
  const { speeds, transfer } = await setting();
  const amount = { bytes: 1000 * mib, items: 10 };
  assert.equal(await speeds.estimate(transfer('a', 'b'), amount), undefined);
  await speeds.note(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }, 10);
  assert.equal(await speeds.estimate(transfer('a', 'b'), amount), 100);
  await speeds.note(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }, 5);
  assert.equal(await speeds.estimate(transfer('a', 'b'), amount), 77);
});

test('small files take time per file, which is unknown until some were copied', async () => {
  const { speeds, transfer } = await setting();
  await speeds.note(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }, 10);
  assert.equal(await speeds.estimate(transfer('a', 'b'), { bytes: 1000, items: 1000 }), undefined);
  await speeds.note(transfer('a', 'b'), { bytes: 1000, items: 100 }, 10);
  assert.equal(await speeds.estimate(transfer('a', 'b'), { bytes: 1000, items: 1000 }), 100);
});

test('two links that were never measured together are as fast as the slower one was with others', async () => {
  const { speeds, transfer } = await setting();
  await speeds.note(transfer('a', 'x'), { bytes: 100 * mib, items: 1 }, 10);
  assert.equal(await speeds.estimate(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }), undefined);
  await speeds.note(transfer('y', 'b'), { bytes: 100 * mib, items: 1 }, 20);
  assert.equal(await speeds.estimate(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }), 20);
});

test('a bandwidth limit lengthens the estimate, and its run is not measured', async () => {
  const { speeds, transfer } = await setting();
  await speeds.note(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }, 10);
  await speeds.note(transfer('a', 'b', mib), { bytes: 100 * mib, items: 1 }, 100);
  assert.equal(await speeds.estimate(transfer('a', 'b'), { bytes: 100 * mib, items: 1 }), 10);
  assert.equal(await speeds.estimate(transfer('a', 'b', mib), { bytes: 100 * mib, items: 1 }), 100);
});

test('removing a link while a transfer ends fails nothing', async () => {
  const { speeds, transfer } = await setting();
  await speeds.note(transfer('a', 'removed'), { bytes: 100 * mib, items: 1 }, 10);
});
