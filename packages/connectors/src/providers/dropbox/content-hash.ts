import { createHash } from 'node:crypto';
import type { RunningHash } from '../../kit/content-hash.ts';

/** Dropbox's hash is the SHA-256 of the SHA-256 of every 4 MiB, in hexadecimal. https://www.dropbox.com/developers/reference/content-hash */
export const blockSize = 4 * 1024 * 1024;

/** The hashes of the blocks, one after another, made beside the main thread. Bytes that are multiples of a block may be hashed piece by piece and put together. */
export async function blockHashes(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const digests: Promise<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.byteLength; at += blockSize)
    digests.push(crypto.subtle.digest('SHA-256', bytes.subarray(at, at + blockSize)));
  return Buffer.concat((await Promise.all(digests)).map((digest) => new Uint8Array(digest)));
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
