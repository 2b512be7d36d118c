import type { OnReadOpts } from 'node:net';
import { type BufferPool, socketBuffers } from '../body/buffer-pool.ts';

/** A buffer that the socket fills from `filled` on while the reader consumes from `taken` on. */
interface Piece {
  readonly memory: Buffer;
  readonly pooled: boolean;
  filled: number;
  taken: number;
}

/** A pending reader; resolves with undefined once the other side has ended. */
interface Reader {
  readonly resolve: (bytes: Buffer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Consumes lent bytes; returns, at once or later, whether it wants more. */
export type Taker = (bytes: Buffer) => boolean | Promise<boolean>;

/**
 * Wraps a taker to detect silence: calls `note` with each piece and whether its memory stays lent, and again once it is returned. Time
 * during which memory is lent does not count as silence.
 */
export const notedTaker =
  (take: Taker, note: (isLent: boolean) => void): Taker =>
  (bytes) => {
    const more = take(bytes);
    const isLent = typeof more !== 'boolean';
    note(isLent);
    return isLent ? more.finally(() => note(false)) : more;
  };

/** The receiving side of a socket, without a stream in between: bytes arrive in large reused buffers and are lent from there. */
export interface Inbound {
  /** Socket option for reading into our buffers. */
  readonly onread: OnReadOpts;
  /**
   * Returns the bytes received since the last call, or the next ones; lent until the next call. Returns undefined once the other side has
   * ended; rejects with the error given to `end` or `fail`.
   */
  read(): Promise<Buffer | undefined>;
  /**
   * Passes everything received to `take` until it wants no more, within the socket's own event where possible: a piece taken at once needs
   * no promise, and the next one uses the same memory. Returns whether `take` has had enough; false when the other side ended first.
   * Rejects as `read` does, and with errors of `take`.
   */
  pump(take: Taker): Promise<boolean>;
  /** Puts back the last `count` bytes of the last read or pump. */
  unread(count: number): void;
  /** Announces the number of bytes to come, to decide on large buffers. */
  expect(bytes: number): void;
  /** Marks the end of the data, because the other side has ended or with that error; earlier bytes can still be read. */
  end(error?: Error): void;
  /** Ends reading at once. */
  fail(error: Error): void;
  /** Returns the pool's buffers. Call it when the socket is destroyed and nothing is lent any more; unread bytes are lost. */
  release(): void;
  /** Whether there are unread bytes. */
  readonly pending: boolean;
}

interface Options {
  /** Resumes the socket after `onread` stopped it. */
  readonly resume: () => void;
  readonly pool?: BufferPool;
}

/** For heads and small responses; each idle connection keeps one. Data up to this size is read into such a buffer. */
export const smallPiece = 16 * 1024;
/** Minimum bytes left in a buffer for another read: fewer are not worth a system call. */
const shortRest = { small: 2 * 1024, big: 64 * 1024 };

/** Creates the receiving side of a connection. */
export function createInbound({ resume, pool = socketBuffers }: Options): Inbound {
  const small = (): Piece => ({ memory: Buffer.allocUnsafeSlow(smallPiece), pooled: false, filled: 0, taken: 0 });
  const none = (): Piece => ({ memory: Buffer.alloc(0), pooled: false, filled: 0, taken: 0 });
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

  /** Returns all unread bytes of a buffer. */
  function lend(piece: Piece): Buffer {
    const bytes = piece.memory.subarray(piece.taken, piece.filled);
    unreadBytes -= bytes.length;
    piece.taken = piece.filled;
    return bytes;
  }

  /** Releases buffers that the reader has finished; returns its current one. */
  function current(): Piece {
    let piece = pieces[0] ?? target;
    while (piece !== target && piece.taken === piece.filled) {
      pieces.shift();
      if (piece.pooled) pool.give(piece.memory);
      piece = pieces[0] ?? target;
    }
    return piece;
  }

  /**
   * Returns memory for the next read: the same again if the reader has finished it, otherwise a new buffer if the reader keeps up,
   * otherwise the remainder of the current one.
   */
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

  /** Gives the reader the available bytes or lets it wait; the reader has finished all bytes lent earlier. */
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
      // Node requests the first buffer at once and the next one after each callback.
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
    release() {
      for (const piece of pieces) if (piece.pooled) pool.give(piece.memory);
      target = none();
      pieces.splice(0, pieces.length, target);
      unreadBytes = 0;
      ending ??= { error: undefined };
    },
    get pending() {
      return unreadBytes > 0;
    },
  };
}
