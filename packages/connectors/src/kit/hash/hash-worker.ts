import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { crc32c } from './crc32c.ts';

/** Requests from {@link createHashThread}: bytes of a hash, its end, or its cancellation. */
export type HashRequest =
  | { readonly id: number; readonly algorithm: string; readonly bytes: ArrayBuffer; readonly length: number }
  | { readonly id: number; readonly end: 'hex' | 'base64' | 'forget'; readonly algorithm: string };
/** Replies: bytes that have been processed, or a hash. */
export type HashReply = { readonly id: number; readonly bytes: ArrayBuffer } | { readonly id: number; readonly digest: string };

/** A hash in progress. */
interface Running {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex' | 'base64'): string;
}

const hashes = new Map<number, Running>();

/** One of Node's hashes, or `crc32c`, which Node lacks and which is written in base64 only. */
const startHash = (algorithm: string): Running => (algorithm === 'crc32c' ? crc32c() : createHash(algorithm));

parentPort?.on('message', (ask: HashRequest) => {
  const hash = hashes.get(ask.id) ?? startHash(ask.algorithm);
  if ('bytes' in ask) {
    hash.update(new Uint8Array(ask.bytes, 0, ask.length));
    hashes.set(ask.id, hash);
    parentPort?.postMessage({ id: ask.id, bytes: ask.bytes } satisfies HashReply, [ask.bytes]);
    return;
  }
  hashes.delete(ask.id);
  if (ask.end !== 'forget') parentPort?.postMessage({ id: ask.id, digest: hash.digest(ask.end) } satisfies HashReply);
});
