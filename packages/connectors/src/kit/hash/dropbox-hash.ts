import { createHash } from 'node:crypto';
import { type RunningHash, bodyHash, digestLater } from './content-hash.ts';
import type { ThreadHash } from './hash-thread.ts';

/**
 * Dropbox's hash is the SHA-256 of the SHA-256 of every 4 MiB, in hexadecimal. https://www.dropbox.com/developers/reference/content-hash
 */
export const blockSize = 4 * 1024 * 1024;

/**
 * Hashes a body block by block; for a large or unknown `size`, in a worker thread. Pieces whose length is a multiple of the block size may
 * be hashed separately and concatenated.
 */
export function blockHashes(size: number | undefined) {
  const begin = bodyHash('sha256');
  const digests: Promise<string>[] = [];
  let block: RunningHash | ThreadHash | undefined;
  let room = blockSize;

  function endBlock(): void {
    if (block) digests.push(digestLater(block));
    block = undefined;
    room = blockSize;
  }

  return {
    /** Hashes the next bytes, which must not change until it resolves. */
    async update(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.byteLength;) {
        const piece = chunk.subarray(at, at + room);
        block ??= begin(size);
        await block.update(piece);
        at += piece.byteLength;
        room -= piece.byteLength;
        if (room === 0) endBlock();
      }
    },
    /** Returns the hashes of all blocks so far; the last block may be short. */
    async digest(): Promise<Buffer> {
      endBlock();
      return Buffer.from((await Promise.all(digests)).join(''), 'hex');
    },
    /** Discards the hashes. */
    cancel(): void {
      if (block && 'cancel' in block) block.cancel();
    },
  };
}

/** Returns the content hash for the given block hashes. */
export const hashOfBlocks = (hashes: Uint8Array): string => createHash('sha256').update(hashes).digest('hex');

/** Hashes bytes that arrive in chunks of any size. */
export function contentHash(): RunningHash {
  const whole = createHash('sha256');
  let block = createHash('sha256');
  let room = blockSize;
  return {
    update(chunk) {
      for (let at = 0; at < chunk.byteLength;) {
        const piece = chunk.subarray(at, at + room);
        block.update(piece);
        at += piece.byteLength;
        room -= piece.byteLength;
        if (room > 0) continue;
        whole.update(block.digest());
        block = createHash('sha256');
        room = blockSize;
      }
    },
    digest() {
      if (room < blockSize) whole.update(block.digest());
      return whole.digest('hex');
    },
  };
}
