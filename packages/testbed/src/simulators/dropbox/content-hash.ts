import { createHash } from 'node:crypto';
import type { Hasher } from '../kit/index.ts';

export const blockSize = 4 * 1024 * 1024;

/** The hashes of the blocks of 4 MiB, one after another, in hexadecimal. */
export function blocksHasher(): Hasher {
  const digests: string[] = [];
  let block = createHash('sha256');
  let held = 0;
  const close = () => {
    digests.push(block.digest('hex'));
    block = createHash('sha256');
    held = 0;
  };
  return {
    update(bytes) {
      for (let at = 0; at < bytes.byteLength;) {
        const part = bytes.subarray(at, at + blockSize - held);
        block.update(part);
        at += part.byteLength;
        held += part.byteLength;
        if (held === blockSize) close();
      }
    },
    digest() {
      if (held > 0) close();
      return digests.join('');
    },
  };
}
