/** Size of a read, in bytes. */
const roomSize = 256 * 1024;

/**
 * Active readers. Chromium garbage-collects the stream of a file during a pending read if nothing else refers to it, and the read then never ends.
 */
const reading = new Set<ReadableStreamBYOBReader>();

/**
 * Streams the bytes through one reused buffer if the browser supports a reader with its own buffer (BYOB). New buffers would pile up to about 50 MiB
 * before garbage collection. A piece is valid only until the next one is requested.
 */
export async function* streamPieces(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = ownBufferReader(stream);
  if (reader === undefined) return yield* anyPieces(stream);
  reading.add(reader);
  try {
    let room = new ArrayBuffer(roomSize);
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(room));
      if (done || value === undefined) return;
      yield value;
      room = value.buffer;
    }
  } finally {
    reading.delete(reader);
  }
}

/** Undefined in browsers where only streams made by scripts support BYOB readers. */
function ownBufferReader(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

async function* anyPieces(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  for (let { done, value } = await reader.read(); !done && value !== undefined; { done, value } = await reader.read()) yield value;
}
