import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { createPictures } from './service.ts';

test('while the disk refuses writes thumbnails are served uncached, and cached again once it accepts them', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'sheaf-pictures-'));
  t.after(() => rm(place, { recursive: true, force: true }));
  const folder = join(place, 'pictures');
  await writeFile(folder, 'not a folder');
  const troubles: unknown[] = [];
  const { picture } = createPictures({ folder, onTrouble: (error) => void troubles.push(error) });
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#2f6b4f' } })
    .jpeg()
    .toBuffer();
  let reads = 0;
  const read = async () => {
    reads++;
    return { entry: {}, drain: async (take: (chunk: Uint8Array) => Promise<void> | undefined) => take(bytes), cancel: () => undefined };
  };
  const ask = () =>
    picture({ name: 'cat.jpg', source: 'link', identity: 'one', isVersioned: true, read }, 128, AbortSignal.timeout(30_000));
  for (let time = 1; time <= 2; time++) assert.ok((await ask()).length > 0);
  assert.deepEqual([reads, troubles.length > 0], [2, true]);
  await rm(folder);
  for (let time = 1; time <= 2; time++) assert.ok((await ask()).length > 0);
  assert.equal(reads, 3);
});
