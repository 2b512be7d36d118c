import { type Entry, freeWhole } from '@sheaf/connectors';
import type { OpenItem } from '#/files/items/open-item.ts';
import { type Room, costOfPiece } from '../account-rooms.ts';
import { type Pulled, pull } from './pulled.ts';

/** Bytes that are kept for requests that arrive out of order, and the gap up to which the stream is read on rather than opened anew. */
const window = 4 * 1024 * 1024;
/** Milliseconds after which an unused stream is given up: it occupies a connection to the storage. */
const idleAfter = 10_000;

/** Bytes of the file, whose memory is released when they are neither kept nor being sent. */
interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
  isKept: boolean;
  /** Readings that are being sent. */
  readings: number;
}

/** Bytes for an answer. */
interface Reading {
  readonly bytes: Uint8Array;
  /** To be called once, when nobody reads the bytes any more. */
  readonly release: () => void;
}
const nothing: Reading = { bytes: new Uint8Array(), release: () => undefined };

function freeUnused({ bytes, isKept, readings }: Piece): void {
  if (!isKept && readings === 0) freeWhole(bytes);
}

function reading(piece: Piece, bytes = piece.bytes): Reading {
  piece.readings++;
  return {
    bytes,
    release() {
      piece.readings--;
      freeUnused(piece);
    },
  };
}

export type FileReader = ReturnType<typeof openReader>;

/**
 * Reads a file for requests at any offsets. Clients ask for many pieces at once, nearly in order: they share one stream from the storage, and what comes
 * before its turn is kept for a while.
 */
export function openReader({ connector, path }: OpenItem, entry: Entry, room: Room, signal: AbortSignal) {
  let stream: Pulled | undefined;
  let position = 0;
  const kept: Piece[] = [];
  /** What the pieces count for. */
  let keptCost = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Requests that have no answer yet. */
  let waiting = 0;

  function stop(): void {
    clearTimeout(idle);
    stream?.stop();
    stream = undefined;
  }
  function end(): void {
    stop();
    forgetAll();
  }
  async function start(at: number): Promise<Pulled> {
    stop();
    const body = await connector.read(path, { signal, known: entry, ...(at > 0 && { range: { start: at } }) });
    position = at;
    return (stream = pull(body, signal));
  }
  function forget(): void {
    const piece = kept.shift();
    if (!piece) return;
    const cost = costOfPiece(piece.bytes);
    piece.isKept = false;
    keptCost -= cost;
    room.give('bytes', cost);
    freeUnused(piece);
  }
  function forgetAll(): void {
    while (kept.length > 0) forget();
  }
  /** Keeps a piece if there is room; otherwise a request for it opens the stream anew. */
  function keep(piece: Piece): void {
    const cost = costOfPiece(piece.bytes);
    while (kept.length > 0 && keptCost + cost > window) forget();
    while (!room.take('bytes', cost)) {
      if (kept.length === 0) return freeUnused(piece);
      forget();
    }
    kept.push(piece);
    piece.isKept = true;
    keptCost += cost;
  }
  /** The bytes, if one kept piece has all of them: requests seldom cross two pieces. */
  function found(at: number, length: number): Reading | undefined {
    const piece = kept.find(({ start, bytes }) => start <= at && at + length <= start + bytes.byteLength);
    return piece && reading(piece, piece.bytes.subarray(at - piece.start, at - piece.start + length));
  }

  async function take(at: number, length: number): Promise<Reading> {
    const known = found(at, length);
    if (known) return known;
    const isNear = stream !== undefined && at >= position && at - position <= window;
    const open = isNear && stream ? stream : await start(at);
    const next = async (size: number): Promise<Piece> => {
      const bytes = await open.take(size);
      const piece = { start: position, bytes, isKept: false, readings: 0 };
      position += bytes.byteLength;
      return piece;
    };
    while (position < at) {
      const skipped = await next(Math.min(at - position, 256 * 1024));
      if (skipped.bytes.byteLength === 0) return nothing;
      keep(skipped);
    }
    const piece = await next(length);
    const wanted = reading(piece);
    keep(piece);
    return wanted;
  }

  return {
    /** At most `length` bytes from `at` on; none at the end of the file. */
    read(at: number, length: number): Promise<Reading> {
      const wanted = entry.size === undefined ? length : Math.min(length, entry.size - at);
      if (wanted <= 0) return Promise.resolve(nothing);
      const task = last.then(
        () => take(at, wanted),
        () => take(at, wanted),
      );
      clearTimeout(idle);
      waiting++;
      last = task
        .then(() => {
          if (isClosed) end();
        }, end)
        .finally(() => {
          waiting--;
          if (waiting === 0 && !isClosed) idle = setTimeout(end, idleAfter).unref();
        });
      return task;
    },
    entry,
    close(): void {
      isClosed = true;
      end();
    },
  };
}
