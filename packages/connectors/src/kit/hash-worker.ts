import { type Hash, createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** What {@link createHashThread} asks: bytes that belong to a hash under way, its end, or that nobody wants it any more. */
export type HashAsk =
  | { readonly id: number; readonly algorithm: string; readonly bytes: ArrayBuffer; readonly length: number }
  | { readonly id: number; readonly end: 'hex' | 'base64' | 'forget'; readonly algorithm: string };
/** What it is told: bytes that have been seen, or a hash. */
export type HashReply = { readonly id: number; readonly bytes: ArrayBuffer } | { readonly id: number; readonly digest: string };

const hashes = new Map<number, Hash>();

parentPort?.on('message', (ask: HashAsk) => {
  const hash = hashes.get(ask.id) ?? createHash(ask.algorithm);
  if ('bytes' in ask) {
    hashes.set(ask.id, hash.update(new Uint8Array(ask.bytes, 0, ask.length)));
    parentPort?.postMessage({ id: ask.id, bytes: ask.bytes } satisfies HashReply, [ask.bytes]);
    return;
  }
  hashes.delete(ask.id);
  if (ask.end !== 'forget') parentPort?.postMessage({ id: ask.id, digest: hash.digest(ask.end) } satisfies HashReply);
});
