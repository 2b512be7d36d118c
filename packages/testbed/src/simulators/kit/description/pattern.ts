import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A prime number of bytes, so that parts cut at round sizes differ and swapped parts are noticed. */
export const patternPeriod = 1_048_583;

const blocks = new Map<string, Buffer>();

/** Returns the repeating block of a seed: it looks random and does not compress. */
export function patternBlock(seed: string): Buffer {
  let block = blocks.get(seed);
  if (!block) {
    const cipher = createCipheriv('aes-128-ctr', createHash('md5').update(seed).digest(), Buffer.alloc(16));
    blocks.set(seed, (block = cipher.update(Buffer.alloc(patternPeriod))));
  }
  return block;
}

/** A source of bytes: returns between one and `most` bytes from `at` on, while `at` is inside. Does not copy. */
export type Source = (at: number, most: number) => Uint8Array;

export const repeating =
  (block: Buffer): Source =>
  (at, most) =>
    block.subarray(at % block.length, Math.min(block.length, (at % block.length) + most));

const step = 256 * 1024;

/** Streams the bytes from `start` to before `end`. */
export function streamOf(source: Source, start: number, end: number): Readable {
  let at = start;
  return new Readable({
    highWaterMark: step,
    read() {
      if (at >= end) return void this.push(null);
      const bytes = source(at, Math.min(step, end - at));
      at += bytes.length;
      this.push(bytes);
    },
  });
}

/** A body of any size without memory use: equals what `generate` of the contents returns, for clients that upload it. */
export const patternStream = (size: number, seed: string): Readable => streamOf(repeating(patternBlock(seed)), 0, size);
