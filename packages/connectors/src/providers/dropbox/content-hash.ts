import { createHash } from 'node:crypto';
import { type RunningHash, bodyHash, digestLater } from '../../kit/hash/content-hash.ts';
import type { ThreadHash } from '../../kit/hash/hash-thread.ts';

/** Dropbox's hash is the SHA-256 of the SHA-256 of every 4 MiB, in hexadecimal. https://www.dropbox.com/developers/reference/content-hash */
export const blockSize = 4 * 1024 * 1024;

/**
 * The hashes of a body's blocks, one after another; those of a body of that `size`, if it is large or unknown, are made beside the main thread. Bytes that are
 * multiples of a block may be hashed piece by piece and put together.
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
    /** Sees the next bytes, which must stay as they are until it resolves. */
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
    /** The hashes of what was seen; the last block may be a short one. */
    async digest(): Promise<Buffer> {
      endBlock();
      return Buffer.from((await Promise.all(digests)).join(''), 'hex');
    },
    /** Nobody wants them any more. */
    cancel(): void {
      if (block && 'cancel' in block) block.cancel();
    },
  };
}

/** The hash of bytes whose blocks have these hashes. */
export const hashOfBlocks = (hashes: Uint8Array): string => createHash('sha256').update(hashes).digest('hex');

/** The hash of bytes that come in any pieces. */
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
