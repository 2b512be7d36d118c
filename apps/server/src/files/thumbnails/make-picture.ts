import type Sharp from 'sharp';
import { isHeic, unpackHeic } from './heif.ts';

/** Pixels of the largest original: 100 megapixels, about 400 MB when it must be unpacked whole. */
const mostPixels = 100_000_000;
/** Pixels of the largest HEIC original, which must be unpacked whole: those of the largest telephones' cameras. */
const mostHeicPixels = 50_000_000;
/** Seconds after which an original is given up. */
const patience = 15;
/** Formats whose readers may be used; readers of all others, SVG and PDF among them, are switched off. */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`);

let loading: Promise<typeof Sharp> | undefined;

/** The library, loaded with the first picture; it is heavy. */
const library = (): Promise<typeof Sharp> => (loading ??= import('sharp').then(({ default: sharp }) => withLimits(sharp)));

function withLimits(sharp: typeof Sharp): typeof Sharp {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: readers });
  // One thread for each picture: several are made at the same time, which uses the processors better.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * A small WebP picture of an original, upright, its longer side at most `size` pixels; of an animation its first frame. Nothing of the original's
 * metadata is kept. Rejects when the original is no picture, is damaged, has too many pixels or takes too long.
 */
export async function makePicture(original: Uint8Array, size: number): Promise<Buffer> {
  const sharp = await library();
  const options = { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' } as const;
  const heic = isHeic(original) ? await unpackHeic(original, { mostPixels: mostHeicPixels, seconds: patience }) : undefined;
  const opened = heic
    ? sharp(heic.pixels, { ...options, raw: { width: heic.width, height: heic.height, channels: 4 } })
    : sharp(original, options).autoOrient();
  return opened
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78, effort: 2 })
    .timeout({ seconds: patience })
    .toBuffer();
}
