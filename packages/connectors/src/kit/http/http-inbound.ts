import type { OnReadOpts } from 'node:net';
import { type BufferPool, socketBuffers } from '../body/buffer-pool.ts';

/** A piece of memory that the socket fills from `filled` on while the reader takes from `taken` on. */
interface Piece {
  readonly memory: Buffer;
  readonly pooled: boolean;
  filled: number;
  taken: number;
}

/** Who waits for bytes; undefined once the other side has ended. */
interface Reader {
  readonly resolve: (bytes: Buffer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Is lent what has come until it answers, at once or later, whether it wants more. */
export type Taker = (bytes: Buffer) => boolean | Promise<boolean>;

/** The taker, for whoever watches for silence: `note` is told with each piece whether its memory stays lent, and again once it is given back. Lent time is no silence. */
export const notedTaker =
  (take: Taker, note: (isLent: boolean) => void): Taker =>
  (bytes) => {
    const more = take(bytes);
    const isLent = typeof more !== 'boolean';
    note(isLent);
    return isLent ? more.finally(() => note(false)) : more;
  };

/** What a socket receives, without a stream between: bytes land in big recycled buffers and are lent from there. */
export interface Inbound {
  /** For the socket's options: it reads straight into our buffers. */
  readonly onread: OnReadOpts;
  /**
   * The bytes that have come since the last call, or the next that come; lent until the next call. Undefined once the other side has ended;
   * rejects with the error that `end` or `fail` was given.
   */
  read(): Promise<Buffer | undefined>;
  /**
   * Hands everything that comes to `take` until that wants no more, within the socket's own event where it can: no promise is made for a piece that is taken at
   * once, and the next one comes into the same memory. Gives whether `take` has had enough; false when the other side ended first. Rejects as `read` does, and with
   * what `take` throws.
   */
  pump(take: Taker): Promise<boolean>;
  /** Puts the last `count` bytes of the last read or pump back. */
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
  let waiter: Reader | undefined;

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

  /** The memory for the next read: the same again when the reader has done with it. When it keeps up otherwise, a whole new one; when it is behind, the rest of this one first. */
  function nextTarget(): Uint8Array {
    const wantsBig = expected > smallPiece;
    if (waiter && target.pooled === wantsBig) {
      target.filled = 0;
      target.taken = 0;
      return target.memory;
    }
    const rest = target.memory.length - target.filled;
    const enough = target.pooled ? shortRest.big : shortRest.small;
    const keep = target.pooled === wantsBig && rest >= enough && (readerBehind || !wantsBig);
    if (!keep) {
      target = wantsBig ? big() : small();
      pieces.push(target);
    }
    return target.memory.subarray(target.filled);
  }

  /** Gives the reader what is there, or lets it wait for what comes; it has done with what it was lent before. */
  function serve(reader: Reader): void {
    const piece = current();
    const bytes = !failure && piece.taken < piece.filled ? lend(piece) : undefined;
    if (stopped && unreadBytes <= pool.size / 2) {
      stopped = false;
      resume();
    }
    if (failure) reader.reject(failure);
    else if (bytes) reader.resolve(bytes);
    else if (!ending) waiter = reader;
    else if (ending.error) reader.reject(ending.error);
    else reader.resolve(undefined);
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
        stopped = unreadBytes >= pool.size;
        return !stopped;
      },
    },
    read: () => new Promise((resolve, reject) => serve({ resolve, reject })),
    pump: (take) =>
      new Promise((resolve, reject) => {
        const goOn = (more: boolean): void => (more ? serve(reader) : resolve(true));
        const reader: Reader = {
          resolve(bytes) {
            if (!bytes) return resolve(false);
            try {
              const more = take(bytes);
              if (typeof more === 'boolean') goOn(more);
              else more.then(goOn, reject);
            } catch (error) {
              reject(error);
            }
          },
          reject,
        };
        serve(reader);
      }),
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
