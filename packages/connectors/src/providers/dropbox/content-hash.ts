import { createHash } from 'node:crypto';
import type { RunningHash } from '../../kit/content-hash.ts';

const blockSize = 4 * 1024 * 1024;

/** Dropbox's hash: SHA-256 of the SHA-256 of every 4 MiB, in hexadecimal. https://www.dropbox.com/developers/reference/content-hash */
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

export function contentHashOf(bytes: Uint8Array): string {
  const hash = contentHash();
  hash.update(bytes);
  return hash.digest();
}
