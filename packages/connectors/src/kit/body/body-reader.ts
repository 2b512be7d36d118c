import { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import { unlessAborted } from '../concurrency/unless-aborted.ts';
import { giveBack, lendLike } from './body-memory.ts';
import type { Chunks } from './chunks.ts';

/** Reads a body piece by piece, for uploads in parts. */
export interface BodyReader {
  /** Returns the next `size` bytes in memory; fewer only at the end of the body. */
  take(size: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Like `take`, as separate chunks. Awaits `see` for each chunk as it arrives. */
  gather(size: number, see?: (chunk: Uint8Array) => unknown): Promise<Chunks>;
  /** Frees collected bytes once nothing reads them any more: not while a request may still send them. */
  release(chunks: Chunks): void;
  /** Returns the next bytes as they arrived, at most `most`; none at the end of the body. */
  next(most: number): Promise<Uint8Array>;
  /** Returns the next `size` bytes as a stream, which must be read to its end before the next piece is requested. */
  stream(size: number): Readable;
}

/**
 * Reads the body on demand. A failing body rejects with its own ConnectorError, or with `interrupted`. Observes the signal even while the
 * body sends nothing, because a stream over a waiting generator does not report that it was destroyed.
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

  async function gather(size: number, see?: (chunk: Uint8Array) => unknown): Promise<Chunks> {
    const taken: Uint8Array[] = [];
    for (let left = size; left > 0;) {
      const piece = await next(left);
      if (piece.byteLength === 0) break;
      const seen = see?.(piece);
      if (seen instanceof Promise) await seen;
      taken.push(piece);
      left -= piece.byteLength;
    }
    return taken;
  }

  async function* pieces(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      const piece = await next(left);
      if (piece.byteLength === 0) throw new ConnectorError('sizeDiffers', `the body ended ${left} bytes early`);
      left -= piece.byteLength;
      yield piece;
    }
  }

  return {
    take: async (size) => Buffer.concat(await gather(size)),
    gather,
    release(chunks) {
      for (const chunk of chunks) giveBack(body, chunk);
    },
    next,
    stream: (size) => lendLike(Readable.from(pieces(size), { objectMode: false }), body),
  };
}

function fail(error: unknown): never {
  throw error instanceof ConnectorError ? error : new ConnectorError('interrupted', 'the body broke off', { cause: error });
}
