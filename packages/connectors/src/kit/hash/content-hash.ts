import { type Hash, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Body } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { waitedLater } from '../concurrency/waited-later.ts';
import { crc32c } from './crc32c.ts';
import { type ThreadHash, createHashThread } from './hash-thread.ts';

/** A hash under way; Node's own, or a provider's. */
export interface RunningHash {
  update(chunk: Uint8Array): unknown;
  /** The hash as the provider writes it. May be asked once. */
  digest(): string;
}

/** One of Node's hashes, written in hexadecimal or base64. */
export function nodeHash(algorithm: string, encoding: 'hex' | 'base64' = 'hex'): RunningHash {
  const hash: Hash = createHash(algorithm);
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest(encoding) };
}

/** Bodies of fewer bytes are hashed where they are moved: the way to another thread would take longer. */
const worthAThread = 4 * 1024 * 1024;
const thread = createHashThread();

/** One of Node's hashes for a body of that size: of a large one, or one of unknown size, made on another thread. */
export const bodyHash =
  (algorithm: string, encoding: 'hex' | 'base64' = 'hex') =>
  (size: number | undefined): RunningHash | ThreadHash =>
    size !== undefined && size < worthAThread ? nodeHash(algorithm, encoding) : thread.hash(algorithm, encoding);

/** CRC-32C in base64 for a body of that size, made where {@link bodyHash} is. */
export const bodyCrc32c = (size: number | undefined): RunningHash | ThreadHash =>
  size !== undefined && size < worthAThread ? crc32c() : thread.hash('crc32c', 'base64');

/** Asks for a hash that is waited for later, so that bytes move on meanwhile. */
export const digestLater = (hash: RunningHash | ThreadHash): Promise<string> => waitedLater(Promise.resolve(hash.digest()));

/** Gives a hash to `work`; when that has ended, nobody wants the hash any more. */
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

/** The same bytes, while `hash` sees them; only true for the whole of a body that was read to its end. */
export function hashed(body: Readable, hash: RunningHash): Readable {
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const stream = Readable.from(watched(), { objectMode: false });
  stream.on('close', () => body.destroy());
  return stream;
}

/** Providers write hexadecimal with large or small letters; in base64 they differ. */
const isSame = (one: string, other: string): boolean =>
  one === other || (/^[0-9a-f]+$/i.test(one) && one.toLowerCase() === other.toLowerCase());

/** Rejects with `damaged` when what was sent is not what arrived. */
export function assertSame(sent: string, stored: string | undefined): void {
  if (stored !== undefined && !isSame(sent, stored))
    throw new ConnectorError('damaged', 'the stored bytes have another hash than those sent');
}

/** The same body; its `drain` rejects with `damaged` after the last byte when the bytes do not have the hash. Only for whole files. */
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

/** The same body, where somebody may have stored another version between the question for its hash and the bytes: `isStill` tells whether the hash is still the file's. */
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
