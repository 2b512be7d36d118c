import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { deflateSync, crc32 } from 'node:zlib';
import type { Body } from '@sheaf/connectors';
import sharp from 'sharp';
import { createPictures } from './service.ts';

const soon = (): AbortSignal => AbortSignal.timeout(30_000);

const photo = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#2f6b4f' } })
    .jpeg()
    .toBuffer();

async function pictures(t: TestContext, mostBytes?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-pictures-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const again = () =>
    createPictures({
      folder,
      ...(mostBytes !== undefined && { mostBytes }),
      onTrouble: (error) => {
        throw error;
      },
    });
  return { folder, again, ...again() };
}

function body(bytes: Buffer): Body {
  const stream = Readable.from([bytes]);
  return {
    size: bytes.length,
    entry: {},
    async drain(take) {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) await take(chunk);
    },
    cancel: () => void stream.destroy(),
  };
}

/** An original that counts its reads. */
function original(bytes: Buffer, identity = 'one', isVersioned = true) {
  const reads = { count: 0 };
  return {
    reads,
    name: 'cat.jpg',
    source: 'link',
    identity,
    isVersioned,
    size: bytes.length,
    async read() {
      reads.count += 1;
      return body(bytes);
    },
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A PNG whose header declares that many pixels, without any data. */
function hollowPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(64))), chunk('IEND', Buffer.alloc(0))]);
}

test('a thumbnail is small, WebP, upright and without the original’s metadata', async (t) => {
  const { picture } = await pictures(t);
  const turned = await sharp(await photo(600, 300))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const facts = await sharp(await picture(original(turned), 256, soon())).metadata();
  assert.deepEqual([facts.format, facts.width, facts.height], ['webp', 128, 256]);
  assert.deepEqual([facts.exif, facts.icc, facts.orientation], [undefined, undefined, undefined]);
});

test('a small original keeps its size', async (t) => {
  const { picture } = await pictures(t);
  const facts = await sharp(await picture(original(await photo(40, 30)), 512, soon())).metadata();
  assert.deepEqual([facts.width, facts.height], [40, 30]);
});

for (const format of ['png', 'webp', 'gif', 'avif', 'tiff'] as const) {
  test(`a thumbnail is made of ${format}`, async (t) => {
    const { picture } = await pictures(t);
    const bytes = await sharp(await photo(300, 200))
      .toFormat(format)
      .toBuffer();
    assert.equal((await sharp(await picture(original(bytes), 128, soon())).metadata()).width, 128);
  });
}

test('twenty concurrent requests make a thumbnail once, and later ones, even in the next run, reuse it', async (t) => {
  const { picture, again } = await pictures(t);
  const file = original(await photo(800, 600));
  const all = await Promise.all(Array.from({ length: 20 }, () => picture(file, 256, soon())));
  assert.equal(file.reads.count, 1);
  assert.ok(all.every((bytes) => bytes.equals(all[0] ?? Buffer.alloc(0))));
  await picture(file, 200, soon());
  await again().picture(file, 256, soon());
  assert.equal(file.reads.count, 1);
  await picture(file, 1024, soon());
  assert.equal(file.reads.count, 2);
});

test('changed content gets another thumbnail, and without a version none is cached', async (t) => {
  const { picture, folder } = await pictures(t);
  const first = original(await photo(300, 300), 'version 1');
  const second = original(await photo(300, 150), 'version 2');
  await picture(first, 128, soon());
  assert.equal((await sharp(await picture(second, 128, soon())).metadata()).height, 64);
  assert.equal((await filesIn(folder)).length, 2);
  const unknown = original(await photo(300, 100), 'no version', false);
  await picture(unknown, 128, soon());
  await picture(unknown, 128, soon());
  assert.equal(unknown.reads.count, 2);
  assert.equal((await filesIn(folder)).length, 2);
});

test('the cache stays within its bound and keeps what was used last', async (t) => {
  const noise = (seed: number): Promise<Buffer> =>
    sharp(Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, index) => (index * seed * 7919) % 251)), {
      raw: { width: 200, height: 200, channels: 3 },
    })
      .png()
      .toBuffer();
  const one = await pictures(t);
  const length = (await one.picture(original(await noise(3)), 128, soon())).length;
  const mostBytes = length * 4;
  const { picture, folder } = await pictures(t, mostBytes);
  const files = await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map(async (seed) => original(await noise(seed), `file ${seed}`)));
  const [favourite] = files;
  assert.ok(favourite);
  for (const file of files) {
    await picture(file, 128, soon());
    await picture(favourite, 128, soon());
  }
  assert.equal(favourite.reads.count, 1);
  const sizes = await Promise.all((await filesIn(folder)).map(async (file) => (await stat(file)).size));
  assert.ok(sizes.length < files.length);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= mostBytes);
});

test('a thumbnail that nobody has requested for a month is deleted', async (t) => {
  const { picture, again, folder } = await pictures(t);
  for (const name of ['old', 'new']) await picture(original(await photo(200, 200), name), 128, soon());
  const [first = ''] = await filesIn(folder);
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  await utimes(first, longAgo, longAgo);
  await again().picture(original(await photo(200, 200), 'another'), 128, soon());
  const left = await filesIn(folder);
  assert.equal(left.length, 2);
  assert.ok(!left.includes(first));
});

test('hostile originals are refused, and not even read when requested again', async (t) => {
  const { picture } = await pictures(t);
  const whole = await photo(500, 500);
  const hostile = {
    'a picture of 2.5 thousand megapixels': hollowPng(50_000, 50_000),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'),
    'a PDF': Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'),
    'a torn JPEG': whole.subarray(0, whole.length / 2),
    'no picture at all': Buffer.from('hello'),
    nothing: Buffer.alloc(0),
  };
  for (const [what, bytes] of Object.entries(hostile)) {
    const file = original(bytes, what);
    await assert.rejects(picture(file, 256, soon()), { messageCode: 'NO_PICTURE' }, what);
    await assert.rejects(picture(file, 256, soon()), { messageCode: 'NO_PICTURE' }, what);
    assert.equal(file.reads.count, 1, what);
  }
});

test('an original that is too large is not read, and one that only turns out to be is abandoned', async (t) => {
  const { picture } = await pictures(t);
  const told = { ...original(Buffer.alloc(1)), size: 65 << 20 };
  await assert.rejects(picture(told, 256, soon()), { messageCode: 'NO_PICTURE' });
  assert.equal(told.reads.count, 0);
  let sent = 0;
  const endless: Body = {
    entry: {},
    async drain(take) {
      for (; ; sent += 1) await take(Buffer.alloc(1 << 20));
    },
    cancel: () => undefined,
  };
  const untold = { name: 'endless.jpg', source: 'link', identity: 'endless', isVersioned: true, read: async () => endless };
  await assert.rejects(picture(untold, 256, soon()), { messageCode: 'NO_PICTURE' });
  assert.equal(sent, 64);
});

test('a caller who leaves ends only their own wait; when nobody waits the source is released', async (t) => {
  const { picture } = await pictures(t);
  const bytes = await photo(300, 300);
  const opened = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const slow = { ...original(bytes), read: async () => (opened.resolve(), await open.promise, body(bytes)) };
  const leaving = new AbortController();
  const left = picture(slow, 128, leaving.signal);
  const stayed = picture(slow, 128, soon());
  await opened.promise;
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  open.resolve();
  assert.ok((await stayed).length > 0);

  const ended = Promise.withResolvers<void>();
  const alone = new AbortController();
  const hanging = {
    ...original(bytes, 'hanging'),
    read: (signal: AbortSignal) =>
      new Promise<Body>((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve();
          reject(new Error('let go'));
        });
        setTimeout(() => alone.abort(new Error('gone')), 10);
      }),
  };
  await assert.rejects(picture(hanging, 128, alone.signal), /gone/);
  await ended.promise;
});

/** Makes thumbnails of several files of each source; returns the most originals held at a time. */
async function mostHeld(t: TestContext, sources: readonly string[], filesOfEach: number): Promise<number> {
  const { picture } = await pictures(t);
  const bytes = await photo(400, 300);
  let held = 0;
  let most = 0;
  const files = sources.flatMap((source) =>
    Array.from({ length: filesOfEach }, (_, index) => ({
      ...original(bytes, `${source} ${index}`),
      source,
      read: async (): Promise<Body> => {
        held += 1;
        most = Math.max(most, held);
        const plain = body(bytes);
        return {
          ...plain,
          cancel() {
            held -= 1;
            plain.cancel();
          },
        };
      },
    })),
  );
  await Promise.all(files.map((file) => picture(file, 128, soon())));
  assert.equal(held, 0);
  return most;
}

test('at most four originals are held at a time, and at most two of one source', async (t) => {
  assert.equal(await mostHeld(t, ['one', 'two', 'three', 'four'], 8), 4);
  assert.equal(await mostHeld(t, ['one'], 12), 2);
});

test('a source that hangs does not delay the thumbnails of another', async (t) => {
  const { picture } = await pictures(t);
  const bytes = await photo(100, 100);
  const leaving = new AbortController();
  const hanging = Array.from({ length: 8 }, (_, index) =>
    picture(
      {
        ...original(bytes, `hanging ${index}`),
        source: 'slow',
        read: (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('let go')))),
      },
      128,
      leaving.signal,
    ),
  );
  assert.ok((await picture({ ...original(bytes, 'quick'), source: 'quick' }, 128, soon())).length > 0);
  leaving.abort(new Error('gone'));
  for (const one of hanging) await assert.rejects(one, /gone/);
  assert.ok((await picture({ ...original(bytes, 'later'), source: 'slow' }, 128, soon())).length > 0);
});
