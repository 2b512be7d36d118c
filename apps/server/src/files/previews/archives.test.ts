import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { type ArchiveDirectory, archiveDirectory } from '@sheaf/contract';
import fc from 'fast-check';
import { testContent } from '#/testing/content.ts';
import { NotAZipError, readZipDirectory } from './zip-directory.ts';

interface Packed {
  readonly path: string;
  readonly content?: string;
  /** Written instead of the path's UTF-8. */
  readonly rawName?: Buffer;
}

/** A zip archive of stored files; `large` writes its sizes and its end as zip64. */
function zip(files: readonly Packed[], { large = false, comment = '', before = '' } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, content = '', rawName = Buffer.from(path) } of files) {
    const bytes = Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(crc32(bytes), 14);
    local.writeUInt32LE(bytes.length, 18);
    local.writeUInt32LE(bytes.length, 22);
    local.writeUInt16LE(rawName.length, 26);
    const extra = Buffer.alloc(large ? 12 : 0);
    if (large) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(BigInt(bytes.length), 4);
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(bytes.length, 20);
    entry.writeUInt32LE(large ? 0xffffffff : bytes.length, 24);
    entry.writeUInt16LE(rawName.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, rawName, extra);
    parts.push(local, rawName, bytes);
    at += 30 + rawName.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const end64 = Buffer.alloc(large ? 76 : 0);
  if (large) {
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(BigInt(files.length), 32);
    end64.writeBigUInt64LE(BigInt(listed.length), 40);
    end64.writeBigUInt64LE(BigInt(at), 48);
    end64.writeUInt32LE(0x07064b50, 56);
    end64.writeBigUInt64LE(BigInt(at + listed.length), 64);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(large ? 0xffff : files.length, 10);
  end.writeUInt32LE(large ? 0xffffffff : listed.length, 12);
  end.writeUInt32LE(large ? 0xffffffff : at, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([Buffer.from(before), ...parts, listed, end64, end, Buffer.from(comment)]);
}

const files = [{ path: 'letters/' }, { path: 'letters/März 🌾.txt', content: 'hello' }, { path: 'note.txt', content: 'x'.repeat(300) }];
const expected = [
  { path: 'letters/', isFolder: true, size: 0 },
  { path: 'letters/März 🌾.txt', isFolder: false, size: 5 },
  { path: 'note.txt', isFolder: false, size: 300 },
];

/** The directory of these bytes, and the number of bytes read for it. */
async function directoryOf(bytes: Buffer) {
  let read = 0;
  const directory = await readZipDirectory(async (start, end) => {
    assert.ok(0 <= start && start <= end && end <= bytes.length, `${start} to ${end} of ${bytes.length}`);
    read += end - start;
    return bytes.subarray(start, end);
  }, bytes.length);
  return { total: directory.total, entries: directory.entries.map(({ path, isFolder, size }) => ({ path, isFolder, size })), read };
}

for (const [what, options] of [
  ['a plain archive', {}],
  ['one of zip64', { large: true }],
  ['one with a comment', { comment: 'PK\u0005\u0006 is how it ends' }],
  ['one that unpacks itself', { before: '#!/bin/sh\n'.repeat(50) }],
  ['an archive of zip64 with a comment', { large: true, comment: 'x'.repeat(60_000) }],
] as const) {
  test(`${what} lists its names and sizes`, async () => {
    const { entries, total } = await directoryOf(zip(files, options));
    assert.deepEqual(entries, expected);
    assert.equal(total, 3);
  });
}

test('names that are not UTF-8 are shown too, and an empty archive is empty', async () => {
  const { entries } = await directoryOf(zip([{ path: '', rawName: Buffer.from([0x4d, 0x84, 0x72, 0x7a]), content: 'x' }]));
  assert.deepEqual(entries, [{ path: 'M\u0084rz', isFolder: false, size: 1 }]);
  assert.deepEqual((await directoryOf(zip([]))).entries, []);
});

test('only the end of a large archive is read, and only the beginning of a large directory', async () => {
  const large = zip([{ path: 'film.mkv', content: 'x'.repeat(20 << 20) }]);
  const { entries, read } = await directoryOf(large);
  assert.equal(entries.length, 1);
  assert.ok(read < 100_000);
  const many = await directoryOf(zip(Array.from({ length: 60_000 }, (_, index) => ({ path: `file ${index} ${'x'.repeat(100)}` }))));
  assert.deepEqual([many.entries.length, many.total], [5000, 60_000]);
  assert.ok(many.read < 3 << 20);
});

test('for any content, the directory is read within the file’s bounds or the file is refused as no archive', async () => {
  const base = zip(files, { large: true, comment: 'end' });
  const damaged = fc
    .record({
      large: fc.boolean(),
      changes: fc.array(fc.record({ at: fc.nat(base.length - 1), value: fc.nat(255) }), { minLength: 1, maxLength: 12 }),
      cut: fc.nat(base.length),
    })
    .map(({ large, changes, cut }) => {
      const bytes = zip(files, { large, comment: 'end' });
      for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
      return bytes.subarray(0, Math.max(1, bytes.length - (cut % 40)));
    });
  const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([bytes, Buffer.from('PK\u0005\u0006'), bytes]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, noise), async (bytes) => {
      await directoryOf(bytes).catch((error: unknown) => assert.ok(error instanceof NotAZipError, String(error)));
    }),
    { numRuns: 3000 },
  );
});

async function asked(t: TestContext, path: string, content: Buffer | string, as?: string) {
  const { app, source, uri, userId } = await testContent(t);
  source.put(path, content);
  const url = `${archiveDirectory.path}?linkUri=${encodeURIComponent(uri(path))}`;
  return app.inject({ method: 'GET', url, headers: { cookie: `sid=${as ?? userId}` } });
}

test('the contents of an archive are listed without downloading it', async (t) => {
  const answer = await asked(t, '/box.zip', zip(files));
  assert.deepEqual(answer.json<{ data: ArchiveDirectory }>().data, { entries: expected, total: 3 });
});

test('a file that is not an archive, a folder and a stranger are refused', async (t) => {
  assert.match((await asked(t, '/box.zip', 'not one')).body, /NOT_AN_ARCHIVE/);
  assert.match((await asked(t, '/empty.zip', '')).body, /NOT_AN_ARCHIVE/);
  assert.match((await asked(t, '/box.zip', zip(files), 'user2')).body, /INVALID_LINK_URI/);
});
