import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import { createByteOrder } from './byte-order.ts';
import type { StoredFolder } from './rows/folder-rows.ts';
import type { ByteOrderSlice } from './rows/page-rows.ts';

const keyOf = ({ name, kind }: Entry): string => (kind === 'folder' ? `${name}/` : name);
const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A store of one folder, and how often it was read. */
function stored(entries: Entry[], version = 'first') {
  const folder: StoredFolder = { id: 1, listedAt: 0, fingerprint: null, version, folderCount: 0, fileCount: entries.length, isUnopened: 0 };
  let reads = 0;
  const inByteOrder = async (_folder: StoredFolder, { from, isAfter, limit }: ByteOrderSlice): Promise<Entry[]> => {
    reads++;
    const sorted = entries.toSorted((one, other) => compare(keyOf(one), keyOf(other)));
    return sorted.filter((one) => compare(keyOf(one), from) >= (isAfter ? 1 : 0)).slice(0, limit);
  };
  return { folder, inByteOrder, reads: () => reads };
}

test('the slices of a folder are those of the store, which is read once for all of them', async () => {
  const names = ['a', 'a.txt', 'b', 'ä', '\u{1F600}', '\uFFFD', 'zz', 'Z', 'a!', 'a0'];
  const entries = names.map((name, index): Entry => ({ name, kind: index % 3 === 2 ? 'folder' : 'file' }));
  const { folder, inByteOrder, reads } = stored(entries);
  const slices = createByteOrder({ inByteOrder });
  for (const from of ['', ...names, ...names.map((name) => `${name}/`), 'm', '\u{10FFFF}'])
    for (const isAfter of [true, false])
      for (const limit of [1, 3]) {
        const before = reads();
        const found = await slices(folder, { from, isAfter, limit });
        assert.ok(reads() - before <= (from === '' && isAfter && limit === 1 ? 1 : 0), 'reads again');
        assert.deepEqual(found, await inByteOrder(folder, { from, isAfter, limit }), `${from} ${isAfter}`);
      }
});

test('a new version of a folder is read anew, and so is one whose reading failed', async () => {
  const entries: Entry[] = [1, 2, 3].map((number) => ({ name: `${number}`, kind: 'file' }));
  const { folder, inByteOrder } = stored(entries);
  let fails = true;
  const slices = createByteOrder({
    inByteOrder: async (...args) => (fails ? Promise.reject(new Error('the database is away')) : inByteOrder(...args)),
  });
  const first = { from: '', isAfter: false, limit: 2 };
  await assert.rejects(slices(folder, first));
  fails = false;
  assert.deepEqual(await slices(folder, first), entries.slice(0, 2));
  entries.unshift({ name: '0', kind: 'file' });
  assert.deepEqual(await slices({ ...folder, version: 'second', fileCount: 4 }, first), entries.slice(0, 2));
});
