import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Source, patternBlock, patternPeriod, repeating, streamOf } from './description/pattern.ts';
import type { Hasher } from './hashes.ts';

/** The stored bytes of a file. */
export interface Content<Name extends string = string> {
  readonly size: number;
  readonly hashes: Readonly<Record<Name, string>>;
  /** Streams the bytes from `start` to before `end`, by default all. Throws when there were too many to keep. */
  open(start?: number, end?: number): Readable;
}

/** A content being received, in one or several parts. */
export interface ContentWriter<Name extends string> {
  /** Bytes so far. */
  readonly size: number;
  /** Appends a stream. Bytes before a stream's failure are kept. Rejects with the stream's error. */
  write(stream: Readable): Promise<void>;
  /** Appends a separately received content. */
  append(content: Content): Promise<void>;
  finish(): Content<Name>;
}

interface Options<Name extends string> {
  /** The provider's hashes of a file. */
  readonly hashes: Readonly<Record<Name, () => Hasher>>;
  /**
   * Contents up to this size are kept in memory. Larger ones are kept only if they repeat the pattern's period; of others only size and hashes are
   * kept.
   */
  readonly keepUpTo?: number;
}

export type Contents<Name extends string> = ReturnType<typeof createContents<Name>>;

/** Stores file contents: small ones in memory, huge ones as a repeating pattern, so that a gigabyte needs no memory. */
export function createContents<Name extends string>({ hashes, keepUpTo = 16 * 1024 * 1024 }: Options<Name>) {
  const names = Object.keys(hashes) as Name[];

  function content(size: number, digests: Readonly<Record<Name, string>>, source: Source | undefined): Content<Name> {
    return {
      size,
      hashes: digests,
      open(start = 0, end = size) {
        if (!source)
          throw new Error(`the ${size} bytes were not kept: only content that repeats, as patternStream gives it, is kept in this size`);
        return streamOf(source, start, Math.min(end, size));
      },
    };
  }

  function writer(): ContentWriter<Name> {
    const hashers = names.map((name) => [name, hashes[name]()] as const);
    const keeper = createKeeper(keepUpTo);
    let size = 0;
    const write = async (stream: Readable): Promise<void> => {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        for (const [, hasher] of hashers) hasher.update(chunk);
        keeper.keep(chunk, size);
        size += chunk.length;
      }
    };
    return {
      get size() {
        return size;
      },
      write,
      append: (content) => write(content.open()),
      finish: () =>
        content(
          size,
          Object.fromEntries(hashers.map(([name, hasher]) => [name, hasher.digest()])) as Record<Name, string>,
          keeper.source(),
        ),
    };
  }

  async function receive(stream: Readable): Promise<Content<Name>> {
    const one = writer();
    await one.write(stream);
    return one.finish();
  }

  return {
    writer,
    /** Receives a whole stream. Rejects with its error and keeps nothing. */
    receive,
    of(bytes: string | Uint8Array): Content<Name> {
      const data = Buffer.from(bytes);
      const digests = names.map((name) => {
        const hasher = hashes[name]();
        hasher.update(data);
        return [name, hasher.digest()];
      });
      return content(data.length, Object.fromEntries(digests) as Record<Name, string>, fromBuffer(data));
    },
    /** Generates a content of any size deterministically from a seed. Its hashes take about a second per gigabyte. */
    async generate(size: number, seed: string): Promise<Content<Name>> {
      const source = repeating(patternBlock(seed));
      const hashers = names.map((name) => [name, hashes[name]()] as const);
      for (let at = 0; at < size && names.length > 0;) {
        const bytes = source(at, size - at);
        for (const [, hasher] of hashers) hasher.update(bytes);
        at += bytes.length;
        await nextTurn();
      }
      return content(size, Object.fromEntries(hashers.map(([name, hasher]) => [name, hasher.digest()])) as Record<Name, string>, source);
    },
    /** Joins separately received parts. Their bytes are read again for the hashes. */
    async concat(parts: readonly Content[]): Promise<Content<Name>> {
      const one = writer();
      for (const part of parts) await one.append(part);
      return one.finish();
    },
  };
}

const fromBuffer =
  (data: Buffer): Source =>
  (at, most) =>
    data.subarray(at, at + most);

/** Keeps chunks up to a size, and beyond it only content that repeats its first period. */
function createKeeper(keepUpTo: number) {
  let chunks: Buffer[] | undefined = [];
  let block: Buffer | undefined;

  const repeats = (period: Buffer, chunk: Buffer, from: number): boolean => {
    for (let at = 0; at < chunk.length;) {
      const start = (from + at) % period.length;
      const count = Math.min(chunk.length - at, period.length - start);
      if (chunk.compare(period, start, start + count, at, at + count) !== 0) return false;
      at += count;
    }
    return true;
  };

  return {
    keep(chunk: Buffer, at: number): void {
      if (chunks) {
        chunks.push(chunk);
        if (at + chunk.length <= keepUpTo) return;
        const held = Buffer.concat(chunks);
        chunks = undefined;
        const period = Buffer.from(held.subarray(0, patternPeriod));
        block = repeats(period, held, 0) ? period : undefined;
      } else if (block && !repeats(block, chunk, at)) block = undefined;
    },
    source(): Source | undefined {
      if (!chunks) return block && repeating(block);
      return fromBuffer(Buffer.concat(chunks));
    },
  };
}
