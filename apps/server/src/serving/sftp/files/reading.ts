import type { Readable } from 'node:stream';
import { type BodyReader, type Entry, createBodyReader } from '@sheaf/connectors';
import type { OpenItem } from '#/files/items/open-item.ts';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';

/** Bytes that are kept for requests that arrive out of order, and the gap over which the stream is read on instead of opened anew. */
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
export function openReader({ connector, path }: OpenItem, entry: Entry, signal: AbortSignal) {
  let stream: Readable | undefined;
  let reader: BodyReader | undefined;
  let position = 0;
  let kept: Piece[] = [];
  let keptBytes = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(idle);
    stream?.destroy();
    [stream, reader] = [undefined, undefined];
  }
  async function start(at: number): Promise<BodyReader> {
    stop();
    const body = await connector.read(path, { signal, known: entry, ...(at > 0 && { range: { start: at } }) });
    stream = streamOf(body, () => undefined);
    reader = createBodyReader(stream, signal);
    position = at;
    return reader;
  }
  function keep(piece: Piece): void {
    kept.push(piece);
    keptBytes += piece.bytes.byteLength;
    while (keptBytes > window) keptBytes -= kept.shift()?.bytes.byteLength ?? keptBytes;
  }
  /** The bytes from what is kept, if all of them are; requests seldom cross two pieces. */
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
      clearTimeout(idle);
      const wanted = entry.size === undefined ? length : Math.min(length, entry.size - at);
      if (wanted <= 0) return Promise.resolve(new Uint8Array());
      const reading = last.then(
        () => take(at, wanted),
        () => take(at, wanted),
      );
      last = reading.then(() => {
        idle = setTimeout(stop, idleAfter).unref();
      }, stop);
      return reading;
    },
    entry,
    close(): void {
      stop();
      [kept, keptBytes] = [[], 0];
    },
  };
}
