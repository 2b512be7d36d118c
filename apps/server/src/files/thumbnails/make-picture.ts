import type Sharp from 'sharp';
import { isHeic, unpackHeic } from './heif.ts';

/** Most pixels of an original: 100 megapixels, about 400 MB when decoded completely. */
const mostPixels = 100_000_000;
/** Most pixels of a HEIC original, which must be decoded completely: enough for the largest phone cameras. */
const mostHeicPixels = 50_000_000;
/** Timeout of one original in seconds. */
const decodeSeconds = 15;
/** Formats whose decoders are enabled; all others, including SVG and PDF, are disabled. */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`);

let loading: Promise<typeof Sharp> | undefined;

/** Loads the library with the first picture, because it is large. */
const library = (): Promise<typeof Sharp> => (loading ??= import('sharp').then(({ default: sharp }) => withLimits(sharp)));

function withLimits(sharp: typeof Sharp): typeof Sharp {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: readers });
  // One thread per picture: several pictures are made concurrently, which uses the processors better.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Makes an upright WebP thumbnail whose longer side has at most `size` pixels; the first frame of an animation. Keeps no metadata. Rejects when the
 * original is not a picture, is damaged, has too many pixels or takes too long.
 */
export async function makePicture(original: Uint8Array, size: number): Promise<Buffer> {
  const sharp = await library();
  const options = { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' } as const;
  const heic = isHeic(original) ? await unpackHeic(original, { mostPixels: mostHeicPixels, seconds: decodeSeconds }) : undefined;
  const opened = heic
    ? sharp(heic.pixels, { ...options, raw: { width: heic.width, height: heic.height, channels: 4 } })
    : sharp(original, options).autoOrient();
  return opened
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78, effort: 2 })
    .timeout({ seconds: decodeSeconds })
    .toBuffer();
}
