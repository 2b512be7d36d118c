import type { Readable } from 'node:stream';
import { type BodyReader, type Entry, createBodyReader } from '@sheaf/connectors';
import type { OpenItem } from '#/files/items/open-item.ts';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';
import type { Room } from '../account-rooms.ts';

/** Bytes that are kept for requests that arrive out of order, and the gap up to which the stream is read on rather than opened anew. */
const window = 4 * 1024 * 1024;
/** Milliseconds after which an unused stream is given up: it occupies a connection to the storage. */
const idleAfter = 10_000;

interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

export type FileReader = ReturnType<typeof openReader>;

/**
 * Reads a file for requests at any offsets. Clients ask for many pieces at once, nearly in order: they share one stream from the storage, and what comes
 * before its turn is kept for a while.
 */
export function openReader({ connector, path }: OpenItem, entry: Entry, room: Room, signal: AbortSignal) {
  let stream: Readable | undefined;
  let reader: BodyReader | undefined;
  let position = 0;
  const kept: Piece[] = [];
  let keptBytes = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Requests that have no answer yet. */
  let waiting = 0;

  function stop(): void {
    clearTimeout(idle);
    stream?.destroy();
    [stream, reader] = [undefined, undefined];
  }
  function end(): void {
    stop();
    forgetAll();
  }
  async function start(at: number): Promise<BodyReader> {
    stop();
    const body = await connector.read(path, { signal, known: entry, ...(at > 0 && { range: { start: at } }) });
    stream = streamOf(body, () => undefined);
    reader = createBodyReader(stream, signal);
    position = at;
    return reader;
  }
  function forget(): void {
    const bytes = kept.shift()?.bytes.byteLength ?? 0;
    keptBytes -= bytes;
    room.give('bytes', bytes);
  }
  function forgetAll(): void {
    while (kept.length > 0) forget();
  }
  /** Keeps a piece if there is room; otherwise a request for it opens the stream anew. */
  function keep(piece: Piece): void {
    const { byteLength } = piece.bytes;
    while (kept.length > 0 && keptBytes + byteLength > window) forget();
    while (!room.take('bytes', byteLength)) {
      if (kept.length === 0) return;
      forget();
    }
    kept.push(piece);
    keptBytes += byteLength;
  }
  /** The bytes, if one kept piece has all of them: requests seldom cross two pieces. */
  function found(at: number, length: number): Uint8Array | undefined {
    const piece = kept.find(({ start, bytes }) => start <= at && at + length <= start + bytes.byteLength);
    return piece?.bytes.subarray(at - piece.start, at - piece.start + length);
  }

  async function take(at: number, length: number): Promise<Uint8Array> {
    const known = found(at, length);
    if (known) return known;
    const isNear = reader !== undefined && at >= position && at - position <= window;
    const open = isNear && reader ? reader : await start(at);
    while (position < at) {
      const bytes = await open.take(Math.min(at - position, 256 * 1024));
      if (bytes.byteLength === 0) return bytes;
      keep({ start: position, bytes });
      position += bytes.byteLength;
    }
    const bytes = await open.take(length);
    keep({ start: at, bytes });
    position += bytes.byteLength;
    return bytes;
  }

  return {
    /** At most `length` bytes from `at` on; none at the end of the file. */
    read(at: number, length: number): Promise<Uint8Array> {
      const wanted = entry.size === undefined ? length : Math.min(length, entry.size - at);
      if (wanted <= 0) return Promise.resolve(new Uint8Array());
      const reading = last.then(
        () => take(at, wanted),
        () => take(at, wanted),
      );
      clearTimeout(idle);
      waiting++;
      last = reading
        .then(() => {
          if (isClosed) end();
        }, end)
        .finally(() => {
          waiting--;
          if (waiting === 0 && !isClosed) idle = setTimeout(end, idleAfter).unref();
        });
      return reading;
    },
    entry,
    close(): void {
      isClosed = true;
      end();
    },
  };
}
