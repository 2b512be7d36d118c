import { createHash } from 'node:crypto';
import { crc32 as addCrc32 } from 'node:zlib';
import type { HashName, Hashes } from '../../core/hashes.ts';
import { type RunningHash, bodyHash } from './content-hash.ts';
import { crc32c } from './crc32c.ts';
import { crc64nvme } from './crc64nvme.ts';
import { contentHash } from './dropbox-hash.ts';
import type { ThreadHash } from './hash-thread.ts';
import { quickXorHash } from './quick-xor-hash.ts';

function crc32(): RunningHash {
  let value = 0;
  return {
    update(chunk) {
      value = addCrc32(chunk, value);
    },
    digest: () => value.toString(16).padStart(8, '0'),
  };
}

/** The same hash, written in hexadecimal instead of base64. */
const inHex = (hash: RunningHash): RunningHash => ({
  update: (chunk) => hash.update(chunk),
  digest: () => Buffer.from(hash.digest(), 'base64').toString('hex'),
});

const starts: Readonly<Record<HashName, () => RunningHash>> = {
  md5: () => hexHash('md5'),
  sha1: () => hexHash('sha1'),
  sha256: () => hexHash('sha256'),
  crc32,
  crc32c: () => inHex(crc32c()),
  crc64nvme,
  quickXor: () => inHex(quickXorHash()),
  dropbox: contentHash,
};

function hexHash(algorithm: string): RunningHash {
  const hash = createHash(algorithm);
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest('hex') };
}

/** A running hash of that name, in lower-case hexadecimal. */
export const namedHash = (name: HashName): RunningHash => starts[name]();

/** Hashes that Node computes, for which another thread is worthwhile. The others are computed on the calling thread. */
const ofNode: readonly HashName[] = ['md5', 'sha1', 'sha256'];

/** Several hashes of the same bytes. */
export interface HashSet {
  /** Adds bytes, which must not change until the promise settles. */
  update(chunk: Uint8Array): Promise<void> | undefined;
  /** Call it once. */
  digest(): Promise<Hashes>;
  /** Discards the hashes. */
  cancel(): void;
}

/** Starts the hashes of a body of `size` bytes; computes those of large bodies on another thread. */
export function createHashSet(names: readonly HashName[], size: number | undefined): HashSet {
  const running = [...new Set(names)].map((name): readonly [HashName, RunningHash | ThreadHash] => [
    name,
    ofNode.includes(name) ? bodyHash(name)(size) : namedHash(name),
  ]);
  const add = (chunk: Uint8Array): Promise<void> | undefined => {
    const waits = running.map(([, hash]) => hash.update(chunk)).filter((wait): wait is Promise<void> => wait instanceof Promise);
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  };
  /** Settles when all chunks so far are added. Sources may pass a chunk before the previous one was taken. */
  let last: Promise<void> | undefined;
  const follow = (adding: Promise<void>): Promise<void> => {
    const own = adding.finally(() => {
      if (last === own) last = undefined;
    });
    return (last = own);
  };
  return {
    update(chunk) {
      if (last) return follow(last.then(() => add(chunk)));
      const adding = add(chunk);
      return adding && follow(adding);
    },
    async digest() {
      await last;
      return Object.fromEntries(await Promise.all(running.map(async ([name, hash]) => [name, await hash.digest()] as const)));
    },
    cancel() {
      for (const [, hash] of running) if ('cancel' in hash) hash.cancel();
    },
  };
}
