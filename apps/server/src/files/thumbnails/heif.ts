import { Worker } from 'node:worker_threads';
import type { HeifPicture, HeifTask } from './heif-worker.ts';

/** Brands of pictures that sharp's own libraries cannot decode (HEVC): ISO/IEC 23008-12, annex B. sharp reads AVIF. */
const brands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** Whether the bytes begin a HEIF file with brands other than AVIF's (ISO/IEC 14496-12, §4.3: the first box names its brands). */
export function isHeic(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(0), head.length);
  const named = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) named.push(head.toString('latin1', at, at + 4));
  return named.some((brand) => brands.has(brand)) && !named.some((brand) => brand === 'avif' || brand === 'avis');
}

/**
 * Decodes a HEIC picture on its own thread, which is terminated after `seconds`, so that a hostile file can neither block anything nor last. Rejects
 * when there is no picture, when it has more than `mostPixels`, or after the timeout.
 */
export async function unpackHeic(
  bytes: Uint8Array,
  { mostPixels, seconds }: { mostPixels: number; seconds: number },
): Promise<HeifPicture> {
  const file = import.meta.filename.endsWith('.ts') ? './heif-worker.ts' : './heif-worker.js';
  const workerData: HeifTask = { bytes, mostPixels };
  const worker = new Worker(new URL(file, import.meta.url), { workerData, stdout: true, stderr: true });
  const { promise, resolve, reject } = Promise.withResolvers<HeifPicture>();
  const tooLong = setTimeout(() => reject(new Error('unpacking the picture took too long')), seconds * 1000);
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('unpacking the picture ended without one')));
  // Discards the library's output, which concerns only the file.
  worker.stdout.resume();
  worker.stderr.resume();
  try {
    return await promise;
  } finally {
    clearTimeout(tooLong);
    await worker.terminate();
  }
}
