import { Readable } from 'node:stream';
import { ConnectorError } from '../../../core/error.ts';
import { giveBack } from '../../../kit/body/body-memory.ts';
import type { BodyReader } from '../../../kit/body/body-reader.ts';
import { createMutex } from '../../../kit/concurrency/keyed-mutex.ts';

interface Options {
  readonly reader: BodyReader;
  /** The body behind the reader. */
  readonly body: Readable;
  readonly size: number;
  /** True for the last fragment: the body must end with it. */
  readonly isLast: boolean;
  /** Called once per byte, however often it is sent. */
  readonly onPiece: (piece: Uint8Array) => void;
}

/** A fragment of a body, kept in memory until it is stored, so that it can be retried. */
export interface Fragment {
  readonly size: number;
  /** Whether the body itself failed or had the wrong length: then a retry is useless. */
  failed(): boolean;
  /** Returns the bytes from `offset` on: first the buffered ones, then the body's next ones. */
  from(offset: number): Readable;
  /** Releases the buffers. */
  release(): void;
}

export function createFragment({ reader, body, size, isLast, onPiece }: Options): Fragment {
  const kept: Uint8Array[] = [];
  let held = 0;
  let isEnded = !isLast;
  let failure: unknown;
  const oneByOne = createMutex();
  let sendings = 0;

  async function readOn(): Promise<void> {
    if (failure !== undefined) throw failure;
    try {
      if (held < size) {
        const piece = await reader.next(size - held);
        if (piece.byteLength === 0) throw new ConnectorError('sizeDiffers', `the body ended ${size - held} bytes early`);
        onPiece(piece);
        kept.push(piece);
        held += piece.byteLength;
      } else if (!isEnded) {
        if ((await reader.next(1)).byteLength > 0) throw new ConnectorError('sizeDiffers', 'the body is longer than announced');
        isEnded = true;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  /** Serialises reads, even while a cancelled stream still waits for its read. */
  const more = (): Promise<void> => oneByOne(readOn);

  async function* pieces(offset: number): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (let index = 0; ; index++) {
      while (index >= kept.length && held < size) await more();
      const piece = kept[index];
      if (!piece) break;
      const skip = Math.max(0, offset - at);
      at += piece.byteLength;
      if (skip < piece.byteLength) yield piece.subarray(skip);
    }
    // The last bytes may be sent only after this check: they complete the file.
    while (!isEnded) await more();
  }

  return {
    size,
    failed: () => failure !== undefined,
    from(offset) {
      sendings += 1;
      return Readable.from(pieces(offset), { objectMode: false });
    },
    release() {
      // A broken connection may still reference the buffers it was to send.
      if (sendings === 1) for (const piece of kept) giveBack(body, piece);
      kept.length = 0;
    },
  };
}
