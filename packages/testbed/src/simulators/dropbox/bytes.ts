import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Content, createContents } from '../kit/index.ts';
import { blockSize, blocksHasher } from './content-hash.ts';

/** A file's bytes with Dropbox's content hash and its block hashes. */
export type Bytes = Content<'content' | 'blocks'>;
type Parts = readonly Content<'blocks'>[];

/** Stores file contents; see the kit's contents. */
export function createBytes(keepUpTo: number) {
  const contents = createContents({ hashes: { blocks: blocksHasher }, keepUpTo });
  return {
    of: (bytes: string | Uint8Array): Bytes => joined([contents.of(bytes)]),
    receive: async (stream: Readable): Promise<Bytes> => joined([await contents.receive(stream)]),
    /** Joins parts. The content hash is derived from the hashes of whole blocks, without reading them again. */
    join: async (parts: Parts): Promise<Bytes> =>
      joined(parts.slice(0, -1).every(({ size }) => size % blockSize === 0) ? parts : [await contents.concat(parts)]),
  };
}
export type Store = ReturnType<typeof createBytes>;

function joined(parts: Parts): Bytes {
  const blocks = parts.map(({ hashes }) => hashes.blocks).join('');
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return {
    size,
    hashes: { blocks, content: createHash('sha256').update(Buffer.from(blocks, 'hex')).digest('hex') },
    open: (start = 0, end = size) => Readable.from(pieces(parts, start, end), { objectMode: false, highWaterMark: 256 * 1024 }),
  };
}

async function* pieces(parts: Parts, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const part of parts) {
    const [from, to] = [Math.max(0, start - at), Math.min(part.size, end - at)];
    if (from < to) yield* part.open(from, to) as AsyncIterable<Uint8Array>;
    at += part.size;
  }
}
