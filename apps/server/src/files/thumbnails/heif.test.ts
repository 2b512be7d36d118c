import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { isHeic, unpackHeic } from './heif.ts';
import { makePicture } from './make-picture.ts';

/** 96 x 64 pixels: a green stripe over red and blue, made for this test with libheif's encoder. */
const drawn = await readFile(join(import.meta.dirname, 'testdata/three-colours.heic'));
const bounds = { mostPixels: 1_000_000, seconds: 15 };

test('a HEIC picture becomes a small WebP picture with the same colours', async () => {
  const picture = sharp(await makePicture(drawn, 48));
  const { format, width, height } = await picture.metadata();
  assert.deepEqual([format, width, height], ['webp', 48, 32]);
  const pixels = await picture.removeAlpha().raw().toBuffer();
  const at = (x: number, y: number): number[] => [...pixels.subarray((y * 48 + x) * 3, (y * 48 + x) * 3 + 3)];
  const strongest = (colour: number[]): number => colour.indexOf(Math.max(...colour));
  assert.deepEqual([at(24, 3), at(8, 24), at(40, 24)].map(strongest), [1, 0, 2]);
});

test('HEIC is distinguished from AVIF and from other files', async () => {
  const avif = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#2f6b4f' } })
    .avif()
    .toBuffer();
  assert.deepEqual([drawn, avif, Buffer.from('ftyp'), Buffer.alloc(100)].map(isHeic), [true, false, false, false]);
});

test('a picture of too many pixels is not decoded', async () => {
  await assert.rejects(unpackHeic(drawn, { ...bounds, mostPixels: 96 * 64 - 1 }), /96 x 64 pixels/);
});

test('decoding ends at its deadline', async () => {
  await assert.rejects(unpackHeic(drawn, { ...bounds, seconds: 0.001 }), /took too long/);
});

test('a HEIC file that is cut or damaged anywhere is refused, or yields a picture of its size, never more', async () => {
  for (let at = 12; at < drawn.length; at += 37) {
    const damaged = Buffer.from(drawn);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    for (const bytes of [damaged, drawn.subarray(0, at)]) {
      const result = await unpackHeic(bytes, bounds).catch((error: unknown) => error);
      if (!(result instanceof Error)) assert.ok((result as { width: number; height: number }).width * 64 <= bounds.mostPixels);
    }
  }
});
