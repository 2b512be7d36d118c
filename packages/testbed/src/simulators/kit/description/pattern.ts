import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A prime number of bytes, so that parts cut at round sizes differ and a swap of two is noticed. */
export const patternPeriod = 1_048_583;

const blocks = new Map<string, Buffer>();

/** The block that the pattern of a seed repeats: it looks random and does not compress. */
export function patternBlock(seed: string): Buffer {
  let block = blocks.get(seed);
  if (!block) {
    const cipher = createCipheriv('aes-128-ctr', createHash('md5').update(seed).digest(), Buffer.alloc(16));
    blocks.set(seed, (block = cipher.update(Buffer.alloc(patternPeriod))));
  }
  return block;
}

/** Where bytes can be had from: at least one byte from `at` on and `most` at most, while `at` is inside. Nothing is copied. */
export type Source = (at: number, most: number) => Uint8Array;

export const repeating =
  (block: Buffer): Source =>
  (at, most) =>
    block.subarray(at % block.length, Math.min(block.length, (at % block.length) + most));

const step = 256 * 1024;

/** Streams the bytes from `start` up to `end`. */
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

/** A body of any size that costs no memory: what `generate` of the contents serves, for clients that upload it. */
export const patternStream = (size: number, seed: string): Readable => streamOf(repeating(patternBlock(seed)), 0, size);
