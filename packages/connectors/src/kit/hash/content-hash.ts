import { type Hash, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Body } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { markHandled } from '../concurrency/mark-handled.ts';
import { crc32c } from './crc32c.ts';
import { type ThreadHash, createHashThread } from './hash-thread.ts';

/** An incremental hash: one of Node's, or a provider's own. */
export interface RunningHash {
  update(chunk: Uint8Array): unknown;
  /** The hash as the provider writes it. Call it once. */
  digest(): string;
}

/** One of Node's hashes, written in hexadecimal or base64. */
export function nodeHash(algorithm: string, encoding: 'hex' | 'base64' = 'hex'): RunningHash {
  const hash: Hash = createHash(algorithm);
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest(encoding) };
}

/** Smaller bodies are hashed on the thread that transfers them: passing them to another thread would take longer. */
const worthAThread = 4 * 1024 * 1024;
const thread = createHashThread();

/** One of Node's hashes for a body of that size; computed on another thread for a large body or one of unknown size. */
export const bodyHash =
  (algorithm: string, encoding: 'hex' | 'base64' = 'hex') =>
  (size: number | undefined): RunningHash | ThreadHash =>
    size !== undefined && size < worthAThread ? nodeHash(algorithm, encoding) : thread.hash(algorithm, encoding);

/** CRC-32C in base64 for a body of that size; computed on the same thread as {@link bodyHash}. */
export const bodyCrc32c = (size: number | undefined): RunningHash | ThreadHash =>
  size !== undefined && size < worthAThread ? crc32c() : thread.hash('crc32c', 'base64');

/** Starts to compute a hash that is awaited later, so that the transfer continues in the meantime. */
export const digestLater = (hash: RunningHash | ThreadHash): Promise<string> => markHandled(Promise.resolve(hash.digest()));

/** Runs `work` with a hash and discards the hash afterwards. */
export async function withHash<Result>(
  hash: RunningHash | ThreadHash,
  work: (hash: RunningHash | ThreadHash) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(hash);
  } finally {
    if ('cancel' in hash) hash.cancel();
  }
}

/** Returns the same bytes and feeds them to `hash`, which is valid only after the whole body was read. */
export function hashed(body: Readable, hash: RunningHash | ThreadHash): Readable {
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const seen = hash.update(chunk);
      if (seen instanceof Promise) await seen;
      yield chunk;
    }
  }
  const stream = Readable.from(watched(), { objectMode: false });
  stream.on('close', () => body.destroy());
  return stream;
}

/** Compares case-insensitively: providers write hexadecimal in either case; base64 hashes would differ anyway. */
const isSame = (one: string, other: string): boolean =>
  one === other || (/^[0-9a-f]+$/i.test(one) && one.toLowerCase() === other.toLowerCase());

/** Rejects with `damaged` when the sent and the stored bytes differ. */
export function assertSame(sent: string, stored: string | undefined): void {
  if (stored !== undefined && !isSame(sent, stored))
    throw new ConnectorError('damaged', 'the stored bytes have another hash than those sent');
}

/** Returns the same body; `drain` rejects with `damaged` after the last byte when the hash differs. For whole files only. */
export function verified(body: Body, expected: string | undefined, start: (size: number | undefined) => RunningHash | ThreadHash): Body {
  if (expected === undefined) return body;
  return {
    ...(body.size !== undefined && { size: body.size }),
    entry: body.entry,
    cancel: () => body.cancel(),
    drain: (take) =>
      withHash(start(body.size), async (hash) => {
        await body.drain((chunk) => {
          const seen = hash.update(chunk);
          return seen instanceof Promise ? Promise.all([seen, take(chunk)]).then(() => undefined) : take(chunk);
        });
        if (!isSame(await hash.digest(), expected))
          throw new ConnectorError('damaged', 'the bytes have another hash than the provider tells');
      }),
  };
}

/**
 * Like `verified`, for files that may have been replaced between the request for the hash and that for the bytes: `isStill` reports whether
 * the file still has the hash.
 */
export function unlessReplaced(body: Body, isStill: () => Promise<boolean>): Body {
  return {
    ...body,
    async drain(take) {
      try {
        await body.drain(take);
      } catch (error) {
        if (!isKind(error, 'damaged') || (await isStill())) throw error;
        throw new ConnectorError('interrupted', 'the file was replaced while it was read', { cause: error, retryable: true });
      }
    },
  };
}
