import { Worker } from 'node:worker_threads';
import type { HeifPicture, HeifTask } from './heif-worker.ts';

/** Brands of the coded pictures that sharp's own libraries cannot read (HEVC): ISO/IEC 23008-12, annex B. AVIF is read by sharp. */
const brands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** Whether the bytes begin as a HEIF file with other brands than AVIF's (ISO/IEC 14496-12, §4.3: the first box names its brands). */
export function isHeic(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(0), head.length);
  const named = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) named.push(head.toString('latin1', at, at + 4));
  return named.some((brand) => brands.has(brand)) && !named.some((brand) => brand === 'avif' || brand === 'avis');
}

/**
 * Unpacks a HEIC picture on a thread of its own, so that a hostile one neither holds anything up nor stays: it ends after `seconds`, whatever
 * it does. Rejects when there is no picture, when it has more than `mostPixels`, or took too long.
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
  // What the library has to say is about the file; it is nobody's log.
  worker.stdout.resume();
  worker.stderr.resume();
  try {
    return await promise;
  } finally {
    clearTimeout(tooLong);
    await worker.terminate();
  }
}
