import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Body, Connector, Entry } from '@sheaf/connectors';
import { run, tempDir } from '@sheaf/testbed';
import { type Archive, createArchives } from './service.ts';

const mib = 2 ** 20;
const block = Buffer.alloc(mib, 'sheaf of paper ');

interface Facts {
  /** Bytes of the file at the path. */
  readonly sizeOf: (path: string) => number;
  /** False: the listing has no sizes. */
  readonly tellsSizes?: boolean;
}

/** A source with generated files that counts its requests. */
function madeUp(folders: Readonly<Record<string, readonly Entry[]>>, { sizeOf }: Facts) {
  const counts = { open: 0, mostOpen: 0, listed: 0 };
  const bytesOf = (path: string, start = 0, end = sizeOf(path)): Body => {
    counts.mostOpen = Math.max(counts.mostOpen, ++counts.open);
    let isOver = false;
    const over = (): void => {
      if (!isOver) counts.open--;
      isOver = true;
    };
    return {
      size: end - start,
      entry: { size: sizeOf(path) },
      async drain(take) {
        for (let at = start; at < end;) {
          const from = at % mib;
          const piece = block.subarray(from, Math.min(mib, from + end - at));
          await take(piece);
          at += piece.length;
        }
        over();
      },
      cancel: over,
    };
  };
  const connector: Connector = {
    async *list(folder) {
      counts.listed++;
      const entries = folders[folder] ?? [];
      for (let at = 0; at < entries.length; at += 1000) yield entries.slice(at, at + 1000);
    },
    stat: async (path) => ({ name: path, kind: 'folder' }),
    read: async (path, { range }) => bytesOf(path, range?.start, range?.end),
    close: async () => undefined,
  };
  const openIt = (): Promise<Archive> =>
    createArchives().open([{ name: 'All', userId: 'mara', path: '/', provider: 'Made up', connector }], {
      takesLinks: true,
      signal: new AbortController().signal,
    });
  return { counts, connector, open: openIt };
}

const fileOf = (name: string, size?: number): Entry => ({
  name,
  kind: 'file',
  modified: 1_750_000_000,
  ...(size !== undefined && { size }),
});

/** Writes a zip to a sparse file and checks it with the system's unzip. */
async function written(t: TestContext, archive: Archive): Promise<string> {
  const folder = await tempDir('zip');
  t.after(() => folder.remove());
  const path = join(folder.path, 'a.zip');
  const file = await open(path, 'w');
  let at = 0;
  await archive.read().drain(async (chunk) => {
    at += chunk.byteLength;
    await file.write(chunk, 0, chunk.byteLength, at - chunk.byteLength);
  });
  await file.close();
  if (archive.known) assert.equal(at, archive.known.size, 'the size that was told');
  return path;
}

test('memory stays flat while ten thousand files of mixed sizes are packed, and only a few of them are read at once', async () => {
  const sizeOf = (path: string): number => {
    const number = Number(path.slice(path.lastIndexOf('/') + 1));
    return number % 100 === 0 ? 6 * mib : (number * 37) % 20_000;
  };
  const names = Array.from({ length: 10_000 }, (_, number) => String(number));
  const entries = names.map((name) => fileOf(name, sizeOf(name)));
  const { counts, open: openArchive } = madeUp({ '/': entries }, { sizeOf });
  const archive = await openArchive();
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let [sent, peak] = [0, 0];
  await archive.read().drain(async (chunk) => {
    sent += chunk.byteLength;
    peak = Math.max(peak, process.memoryUsage.rss());
  });
  assert.equal(sent, archive.known?.size);
  assert.ok(sent > 650 * mib, `${sent}`);
  assert.ok(peak - before < 120 * mib, `${Math.round((peak - before) / mib)} MiB more`);
  assert.ok(counts.mostOpen <= 32, `${counts.mostOpen} at once`);
});

test('more files than 16 bits can count make a zip that unpacks', async (t) => {
  const entries = Array.from({ length: 66_000 }, (_, number) => fileOf(`${number}.txt`, 3));
  const archive = await madeUp({ '/': entries }, { sizeOf: () => 3 }).open();
  assert.equal(archive.known, undefined, 'so many are not looked at before the first byte');
  const path = await written(t, archive);
  assert.match(await run('unzip', ['-tqq', path]), /^$/);
  assert.match((await run('unzip', ['-l', path])).trimEnd(), /66001 files$/);
});

test('a file over 32 bits, and the entries after it, are found by 64-bit records', async (t) => {
  const large = 4 * 1024 * mib + 5;
  const sizeOf = (path: string): number => (path === '/large.bin' ? large : 4);
  const archive = await madeUp({ '/': [fileOf('large.bin', large), fileOf('z.txt', 4)] }, { sizeOf }).open();
  const size = archive.known?.size ?? 0;
  assert.ok(size > large);
  // Keeps only the records around the bytes.
  const pieces: Buffer[] = [];
  let at = 0;
  await archive.read().drain(async (chunk) => {
    if (at < mib || at > large - mib) pieces.push(Buffer.from(chunk));
    at += chunk.byteLength;
  });
  assert.equal(at, size);
  const tail = Buffer.concat(pieces.slice(-6));
  const end = tail.lastIndexOf('PK\u0006\u0006');
  const directoryAt = Number(tail.readBigUInt64LE(end + 48));
  assert.deepEqual(
    [Number(tail.readBigUInt64LE(end + 32)), directoryAt + Number(tail.readBigUInt64LE(end + 40))],
    [3, size - tail.length + end],
  );
  const central = tail.indexOf(Buffer.from('All/large.bin'), tail.length - (size - directoryAt));
  const extra = central + 'All/large.bin'.length + 9;
  assert.deepEqual(
    [tail.readUInt16LE(extra), Number(tail.readBigUInt64LE(extra + 4)), Number(tail.readBigUInt64LE(extra + 12))],
    [1, large, large],
  );
  const behind = tail.lastIndexOf('All/z.txt') + 'All/z.txt'.length + 9;
  assert.ok(Number(tail.readBigUInt64LE(behind + 4)) > large, 'where the file behind it begins');
  t.diagnostic(`${size} bytes`);
});

test('files of unknown size, and files of changed size when no length was announced, are packed as they come', async (t) => {
  const { open: openArchive } = madeUp({ '/': [fileOf('a'), fileOf('b', 10)] }, { sizeOf: (path) => (path === '/a' ? 3 * mib + 1 : 10) });
  const archive = await openArchive();
  assert.equal(archive.known, undefined);
  const path = await written(t, archive);
  assert.match(await run('unzip', ['-tqq', path]), /^$/);
  assert.match(await run('unzip', ['-l', path]), new RegExp(`${3 * mib + 1}.*All/a`));
});

test('a file that differs from its announcement ends the zip before its directory', async () => {
  for (const [announced, real] of [
    [10, 11],
    [10, 9],
    [mib, mib + 1],
    [mib, mib - 1],
  ] as const) {
    const archive = await madeUp({ '/': [fileOf('a', announced)] }, { sizeOf: () => real }).open();
    const pieces: Buffer[] = [];
    await assert.rejects(
      archive.read().drain(async (chunk) => void pieces.push(Buffer.from(chunk))),
      { messageCode: 'TRANSFER_CUT' },
    );
    assert.equal(Buffer.concat(pieces).indexOf('PK\u0001\u0002'), -1);
  }
});

test('endless folders, and paths that no zip can hold, end the zip', async () => {
  const connector: Connector = {
    async *list() {
      yield [{ name: 'again', kind: 'folder' }];
    },
    stat: async () => ({ name: 'again', kind: 'folder' }),
    read: () => Promise.reject(new Error('there are no files')),
    close: async () => undefined,
  };
  const item = { name: 'All', userId: 'mara', path: '/', provider: 'Made up', connector };
  const asked = createArchives().open([item], { takesLinks: true, signal: new AbortController().signal });
  await assert.rejects(asked, { messageCode: 'SOURCE_CONFUSED' });
});

test('for any tree and any range, the part equals that part of the whole', async (t) => {
  let state = 42;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const mails = ['a', 'ä', '漢', '🙂', ' ', '.', '\\', ':', '%2f', '\u0001', '\ud800', '-', "'", '"', '$x', 'CON', '\u202e', '/'];
  const nameOf = (): string => Array.from({ length: 1 + random(6) }, () => mails[random(mails.length)]).join('');
  for (let round = 0; round < 12; round++) {
    const folders: Record<string, Entry[]> = { '/': [] };
    const sizes = new Map<string, number>();
    for (let number = 0; number < 25; number++) {
      const parents = Object.keys(folders);
      const parent = parents[random(parents.length)] ?? '/';
      const name = nameOf();
      const path = parent === '/' ? `/${name}` : `${parent}/${name}`;
      if (folders[path] || sizes.has(path)) continue;
      const isFolder = random(4) === 0;
      const size = [0, random(300), 262_144, 262_145, random(900_000)][random(5)] ?? 0;
      folders[parent]?.push(isFolder ? { name, kind: 'folder' } : fileOf(name, size));
      if (isFolder) folders[path] = [];
      else sizes.set(path, size);
    }
    const { connector } = madeUp(folders, { sizeOf: (path) => sizes.get(path) ?? 0 });
    const archives = createArchives();
    const item = { name: 'All', userId: 'mara', path: '/', provider: 'Made up', connector };
    const read = async (range?: { start: number; end: number }): Promise<Buffer> => {
      const archive = await archives.open([item], { takesLinks: true, signal: new AbortController().signal });
      if (range) assert.ok(archive.canBegin(range.start));
      const pieces: Buffer[] = [];
      await archive.read(range).drain(async (chunk) => void pieces.push(Buffer.from(chunk)));
      return Buffer.concat(pieces);
    };
    const whole = await read();
    for (let part = 0; part < 15; part++) {
      const start = random(whole.length);
      const end = start + 1 + random(whole.length - start);
      assert.equal(crc32(await read({ start, end })), crc32(whole.subarray(start, end)), `round ${round}, ${start} to ${end}`);
    }
    const folder = await tempDir('fuzz');
    t.after(() => folder.remove());
    const path = join(folder.path, 'a.zip');
    const file = await open(path, 'w');
    await file.write(whole);
    await file.close();
    assert.match(await run('unzip', ['-tqq', path]), /^$/, `round ${round}`);
  }
});

test('small files are requested together where the source can, and one by one when one of them has changed', async (t) => {
  const names = Array.from({ length: 300 }, (_, index) => `file ${index}`);
  const size = (path: string): number => 20_000 + path.length;
  const entries = names.map((name) => fileOf(name, size(`/${name}`)));
  const asked: number[] = [];
  for (const isBroken of [false, true]) {
    asked.length = 0;
    let alone = 0;
    const { connector } = madeUp({ '/': entries }, { sizeOf: size });
    const together: Connector = {
      ...connector,
      read(path, ask) {
        alone += 1;
        return connector.read(path, ask);
      },
      async readMany(files, ask) {
        asked.push(files.length);
        const first = isBroken ? files.slice(0, 5) : files;
        return {
          entry: {},
          async drain(take) {
            for (const { path } of first) await (await connector.read(path, ask)).drain(take);
            if (isBroken) throw new Error('broken off');
          },
          cancel: () => undefined,
        };
      },
    };
    const archive = await createArchives().open([{ name: 'All', userId: 'mara', path: '/', provider: 'Made up', connector: together }], {
      takesLinks: true,
      signal: new AbortController().signal,
    });
    const path = await written(t, archive);
    assert.match(await run('unzip', ['-tq', path]), /No errors/);
    assert.equal(
      asked.reduce((sum, count) => sum + count, 0),
      names.length,
    );
    assert.ok(asked.length < 10 && Math.max(...asked) <= 256, asked.join(' '));
    assert.equal(alone, isBroken ? names.length - asked.length * 5 : 0);
  }
});
