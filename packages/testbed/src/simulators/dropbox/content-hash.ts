import { createHash } from 'node:crypto';
import type { Hasher } from '../kit/index.ts';

const blockSize = 4 * 1024 * 1024;

/** Dropbox's content hash, made from the list of its blocks' hashes. */
export function contentHasher(): Hasher {
  const digests: Buffer[] = [];
  let pending: Buffer[] = [];
  let held = 0;
  const close = () => {
    digests.push(pending.reduce((hash, part) => hash.update(part), createHash('sha256')).digest());
    pending = [];
    held = 0;
  };
  return {
    update(bytes) {
      for (let rest = Buffer.from(bytes); rest.length > 0;) {
        const part = rest.subarray(0, blockSize - held);
        rest = rest.subarray(part.length);
        pending.push(part);
        held += part.length;
        if (held === blockSize) close();
      }
    },
    digest() {
      if (held > 0) close();
      return createHash('sha256').update(Buffer.concat(digests)).digest('hex');
    },
  };
}
