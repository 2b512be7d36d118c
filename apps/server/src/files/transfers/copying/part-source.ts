import { Readable } from 'node:stream';
import { type Entry, type HashSet, createBodyReader, lendChunks } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { streamOf } from './body-stream.ts';
import type { FileJob } from './file-job.ts';

/** A source's bytes, from a first one on, for an upload in parts; each byte that passes is hashed. */
export interface PartSource {
  /** The source's metadata that came with the bytes. */
  entry(): Partial<Entry>;
  /** The next bytes in memory, as a body that frees what has been sent. */
  held(bytes: number): Promise<Readable>;
  /** The next bytes as a stream, to be read to its end before the next call. */
  stream(bytes: number): Promise<Readable>;
  /** Lets bytes pass that are only hashed. */
  skip(bytes: number): Promise<void>;
  /** Rejects when the source has more bytes than it told. */
  end(): Promise<void>;
  close(): void;
}

interface Options {
  readonly job: FileJob;
  readonly start: number;
  readonly size: number;
  readonly hashes: HashSet;
  readonly signal: AbortSignal;
  /** Rejects when the source is not the file that the upload began with. */
  readonly check: (entry: Partial<Entry>) => void;
}

const changed = ({ toPath }: FileJob) => appError('CHANGED_MEANWHILE', { name: toPath.slice(toPath.lastIndexOf('/') + 1) });

/** One read from the first byte to the last. */
export async function streamedSource({ job, start, size, hashes, signal, check }: Options): Promise<PartSource> {
  const { connector, provider } = job.ends.from;
  const body = await connector.read(job.item.fromPath, { signal, ...(start > 0 && { range: { start } }), known: { size } });
  try {
    check(body.entry);
  } catch (error) {
    body.cancel();
    throw error;
  }
  const stream = streamOf(body, (chunk) => hashes.update(chunk));
  const reader = createBodyReader(stream, signal);
  return {
    entry: () => body.entry,
    async held(bytes) {
      const chunks = await reader.gather(bytes);
      if (chunks.reduce((sum, { byteLength }) => sum + byteLength, 0) !== bytes) throw appError('TRANSFER_CUT', { provider });
      return lendChunks(Readable.from(chunks, { objectMode: false }));
    },
    stream: async (bytes) => reader.stream(bytes),
    async skip(bytes) {
      for (let left = bytes; left > 0;) {
        const piece = await reader.next(left);
        if (piece.byteLength === 0) throw appError('TRANSFER_CUT', { provider });
        left -= piece.byteLength;
      }
    },
    async end() {
      if ((await reader.take(1)).byteLength > 0) throw changed(job);
    },
    close: () => void stream.destroy(),
  };
}

/** Bytes of a read whose bytes are only hashed. */
const skipAtOnce = 64 * 1024 * 1024;

/** A read for each part, ended before the part is sent: for a link that has one connection for both. */
export function rangedSource({ job, start, hashes, signal, check }: Options): PartSource {
  const { connector, provider } = job.ends.from;
  let position = start;
  let entry: Partial<Entry> = {};

  async function read(bytes: number, see: (chunk: Uint8Array, at: number) => void): Promise<void> {
    const range = { start: position, end: position + bytes };
    const body = await connector.read(job.item.fromPath, { signal, range });
    ({ entry } = body);
    try {
      check(entry);
    } catch (error) {
      body.cancel();
      throw error;
    }
    let at = 0;
    await body.drain((chunk) => {
      see(chunk, at);
      at += chunk.byteLength;
      return hashes.update(chunk);
    });
    if (at !== bytes) throw appError('TRANSFER_CUT', { provider });
    position += bytes;
  }
  async function held(bytes: number): Promise<Readable> {
    const whole = Buffer.allocUnsafeSlow(bytes);
    await read(bytes, (chunk, at) => whole.set(chunk, at));
    return lendChunks(Readable.from([whole], { objectMode: false }));
  }

  return {
    entry: () => entry,
    held,
    stream: held,
    async skip(bytes) {
      for (let left = bytes; left > 0; left -= Math.min(left, skipAtOnce)) await read(Math.min(left, skipAtOnce), () => undefined);
    },
    end: async () => undefined,
    close: () => undefined,
  };
}
