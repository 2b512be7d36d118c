import type { OnReadOpts } from 'node:net';
import { type BufferPool, socketBuffers } from './buffer-pool.ts';

/** A piece of memory that the socket fills from `filled` on while the reader takes from `taken` on. */
interface Piece {
  readonly memory: Buffer;
  readonly pooled: boolean;
  filled: number;
  taken: number;
}

/** What a socket receives, without a stream between: bytes land in big recycled buffers and are lent from there. */
export interface Inbound {
  /** For the socket's options: it reads straight into our buffers. */
  readonly onread: OnReadOpts;
  /**
   * The bytes that have come since the last call, or the next that come; lent until the next call. Undefined once the other side has ended;
   * rejects with the error that `end` or `fail` was given.
   */
  read(): Promise<Buffer | undefined>;
  /** Puts the last `count` bytes of the last read back. */
  unread(count: number): void;
  /** Bytes that are about to come: whether big buffers are worth taking. */
  expect(bytes: number): void;
  /** No more will come, because the other side has ended or because of that error; what came before can still be read. */
  end(error?: Error): void;
  /** Gives up: nothing can be read any more. */
  fail(error: Error): void;
  /** Whether bytes are there that nobody has read. */
  readonly pending: boolean;
}

interface Options {
  /** Lets the socket read again after `onread` told it to stop. */
  readonly resume: () => void;
  readonly pool?: BufferPool;
}

/** Heads and small answers; one stays with each idle connection. */
const smallPiece = 16 * 1024;
/** A rest shorter than this is not worth a system call. */
const shortRest = { small: 2 * 1024, big: 64 * 1024 };

/** Creates the receiving side of a connection. */
export function createInbound({ resume, pool = socketBuffers }: Options): Inbound {
  const small = (): Piece => ({ memory: Buffer.allocUnsafeSlow(smallPiece), pooled: false, filled: 0, taken: 0 });
  const big = (): Piece => ({ memory: pool.take(), pooled: true, filled: 0, taken: 0 });
  const pieces: Piece[] = [];
  let target = small();
  pieces.push(target);
  let expected = 0;
  let unreadBytes = 0;
  let stopped = false;
  let readerBehind = false;
  let ending: { readonly error: Error | undefined } | undefined;
  let failure: Error | undefined;
  let waiter: { resolve: (bytes: Buffer | undefined) => void; reject: (error: Error) => void } | undefined;

  /** Everything in the piece that nobody has read. */
  function lend(piece: Piece): Buffer {
    const bytes = piece.memory.subarray(piece.taken, piece.filled);
    unreadBytes -= bytes.length;
    piece.taken = piece.filled;
    return bytes;
  }

  /** Lets go of what the reader has done with; gives the piece it is at. */
  function current(): Piece {
    let piece = pieces[0] ?? target;
    while (piece !== target && piece.taken === piece.filled) {
      pieces.shift();
      if (piece.pooled) pool.give(piece.memory);
      piece = pieces[0] ?? target;
    }
    return piece;
  }

  /** The memory for the next read. When the reader keeps up, a whole buffer; when it is behind, the rest of this one first. */
  function nextTarget(): Uint8Array {
    const wantsBig = expected > smallPiece;
    const rest = target.memory.length - target.filled;
    const enough = target.pooled ? shortRest.big : shortRest.small;
    const keep = target.pooled === wantsBig && rest >= enough && (readerBehind || !wantsBig);
    if (!keep) {
      target = wantsBig ? big() : small();
      pieces.push(target);
    }
    return target.memory.subarray(target.filled);
  }

  return {
    onread: {
      // Node asks for the first buffer at once and for the next one after each callback.
      buffer: nextTarget,
      callback(count) {
        target.filled += count;
        unreadBytes += count;
        expected = Math.max(0, expected - count);
        const reader = waiter;
        waiter = undefined;
        reader?.resolve(lend(current()));
        readerBehind = reader === undefined;
        stopped = unreadBytes >= 2 * pool.size;
        return !stopped;
      },
    },
    read() {
      const piece = current();
      if (stopped && unreadBytes <= pool.size) {
        stopped = false;
        resume();
      }
      if (failure) return Promise.reject(failure);
      if (piece.taken < piece.filled) return Promise.resolve(lend(piece));
      if (ending) return ending.error ? Promise.reject(ending.error) : Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        waiter = { resolve, reject };
      });
    },
    unread(count) {
      const piece = pieces[0] ?? target;
      piece.taken -= count;
      unreadBytes += count;
    },
    expect(bytes) {
      expected = bytes;
    },
    end(error) {
      ending ??= { error };
      if (ending.error) waiter?.reject(ending.error);
      else waiter?.resolve(undefined);
      waiter = undefined;
    },
    fail(error) {
      failure ??= error;
      waiter?.reject(failure);
      waiter = undefined;
    },
    get pending() {
      return unreadBytes > 0;
    },
  };
}
