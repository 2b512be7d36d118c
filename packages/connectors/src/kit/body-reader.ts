import { Readable } from 'node:stream';
import { ConnectorError } from '../core/error.ts';
import { lendLike } from './body-memory.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Takes a body piece by piece, for uploads that are sent in parts. */
export interface BodyReader {
  /** The next `size` bytes in memory; fewer only at the end of the body. */
  take(size: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The next bytes as they came, `most` at most; none at the end of the body. */
  next(most: number): Promise<Uint8Array>;
  /** The next `size` bytes as a stream; must be read to its end before the next piece is asked for. */
  stream(size: number): Readable;
}

/**
 * Reads the body on demand. A body that breaks rejects with its own ConnectorError, or with `interrupted`. The signal is heeded even while the body gives
 * nothing, because a stream over a generator that waits does not tell that it was destroyed.
 */
export function createBodyReader(body: Readable, signal: AbortSignal): BodyReader {
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();

  const next = async (most: number): Promise<Uint8Array> => {
    while (rest.byteLength === 0) {
      const { done, value } = await unlessAborted(chunks.next(), signal).catch(fail);
      if (done) return rest;
      rest = value;
    }
    const piece = rest.subarray(0, most);
    rest = rest.subarray(piece.byteLength);
    return piece;
  };

  async function* pieces(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      const piece = await next(left);
      if (piece.byteLength === 0) throw new ConnectorError('sizeDiffers', `the body ended ${left} bytes early`);
      left -= piece.byteLength;
      yield piece;
    }
  }

  return {
    async take(size) {
      const taken: Uint8Array[] = [];
      let bytes = 0;
      while (bytes < size) {
        const piece = await next(size - bytes);
        if (piece.byteLength === 0) break;
        taken.push(piece);
        bytes += piece.byteLength;
      }
      return Buffer.concat(taken);
    },
    next,
    stream: (size) => lendLike(Readable.from(pieces(size), { objectMode: false }), body),
  };
}

function fail(error: unknown): never {
  throw error instanceof ConnectorError ? error : new ConnectorError('interrupted', 'the body broke off', { cause: error });
}
