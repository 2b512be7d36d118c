import type { Readable } from 'node:stream';

const lent = new WeakSet<Readable>();
/** Smaller chunks are not worth freeing; they may also share their memory with others. */
const worthwhile = 16 * 1024;

/**
 * Marks a body whose chunks are seen only by its reader, so that each may be freed once it has been sent. Node allocates 64 KiB per read of
 * a socket: without this, that memory alone triggers the garbage collector a hundred times a second.
 */
export function lendChunks<Body extends Readable>(body: Body): Body {
  lent.add(body);
  return body;
}

/** Marks a body if the one it is derived from is marked. */
export const lendLike = <Body extends Readable>(body: Body, origin: Readable): Body => (lent.has(origin) ? lendChunks(body) : body);

/**
 * Frees a chunk's memory at once, if its body lends chunks and the memory is not shared; the chunk is empty then. Call it when nothing
 * reads the chunk any more: for a socket, in the callback of `write`.
 */
export function giveBack(body: Readable, chunk: Uint8Array): void {
  if (lent.has(body) && chunk.byteLength === chunk.buffer.byteLength) free(chunk.buffer);
}

/** Frees an unshared buffer, of which `view` may be a part if the buffer is smaller than Node's pool: parts of that belong to others, and none is all of it. */
export function freeWhole({ buffer, byteLength }: Uint8Array): void {
  if (buffer.byteLength < Buffer.poolSize || byteLength === buffer.byteLength) free(buffer);
}

function free(buffer: ArrayBufferLike): void {
  if (buffer.byteLength >= worthwhile && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
