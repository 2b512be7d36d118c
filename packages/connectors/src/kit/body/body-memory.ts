import type { Readable } from 'node:stream';

const lent = new WeakSet<Readable>();
/** Smaller chunks may share memory with others and are cheap. */
const worthwhile = 16 * 1024;

/**
 * Marks a body whose chunks are seen only by its reader, so that each may be freed once it has been sent. Node allocates 64 KiB per read of a socket;
 * left to the garbage collector, that memory alone triggers it a hundred times a second.
 */
export function lendChunks<Body extends Readable>(body: Body): Body {
  lent.add(body);
  return body;
}

/** Copies the mark to a body made from another one. */
export const lendLike = <Body extends Readable>(body: Body, origin: Readable): Body => (lent.has(origin) ? lendChunks(body) : body);

/**
 * Frees a chunk's memory at once, if its body lends chunks and the memory is not shared; the chunk is empty then. Call it when nothing reads the
 * chunk any more: for a socket, in the callback of `write`.
 */
export function giveBack(body: Readable, chunk: Uint8Array): void {
  if (lent.has(body) && chunk.byteLength === chunk.buffer.byteLength) free(chunk.buffer);
}

/** Frees an unshared buffer, of which `view` may be a part; never Node's pool, which many small ones share. */
export function freeWhole({ buffer }: Uint8Array): void {
  if (buffer.byteLength < Buffer.poolSize) free(buffer);
}

function free(buffer: ArrayBufferLike): void {
  if (buffer.byteLength >= worthwhile && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
