import type { Readable } from 'node:stream';

const lent = new WeakSet<Readable>();
/** Smaller pieces may lie in memory that others use too, and are no burden. */
const worthwhile = 16 * 1024;

/**
 * Says of a body that nobody but its reader looks at its chunks, so that each may be given back once it has been sent. Node allocates 64 KiB for every read
 * of a socket; left to the garbage collector, that memory alone makes it run a hundred times a second.
 */
export function lendChunks<Body extends Readable>(body: Body): Body {
  lent.add(body);
  return body;
}

/** Says of a body made from another one what was said of that one. */
export const lendLike = <Body extends Readable>(body: Body, origin: Readable): Body => (lent.has(origin) ? lendChunks(body) : body);

/**
 * Gives the memory of a chunk back at once, if its body lends chunks and it has the memory for itself; the chunk is empty then. To be called when nothing
 * will read it any more: for a socket, in the callback of `write`.
 */
export function giveBack(body: Readable, chunk: Uint8Array): void {
  if (lent.has(body) && chunk.byteLength === chunk.buffer.byteLength) free(chunk.buffer);
}

/** Frees the memory of a buffer in which nothing else lies, of which `view` may be a part; never Node's pool, in which many small ones lie. */
export function freeWhole({ buffer }: Uint8Array): void {
  if (buffer.byteLength < Buffer.poolSize) free(buffer);
}

function free(buffer: ArrayBufferLike): void {
  if (buffer.byteLength >= worthwhile && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
