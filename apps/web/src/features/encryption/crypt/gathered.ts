/** Bytes of the first piece, so that it comes soon, and of the largest: each message between workers costs as much as thousands of bytes. */
const [smallest, largest] = [65_536, 1024 * 1024];

/**
 * The same bytes in growing pieces, each with a whole buffer: a message would copy all of it. A piece is valid until the next one is asked for. What came
 * before a failure of the source is given before the failure.
 */
export async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(smallest);
  let filled = 0;
  try {
    for await (const bytes of source)
      for (let taken = 0; taken < bytes.length;) {
        const part = bytes.subarray(taken, taken + piece.length - filled);
        piece.set(part, filled);
        filled += part.length;
        taken += part.length;
        if (filled < piece.length) continue;
        yield piece;
        filled = 0;
        if (piece.length < largest) piece = new Uint8Array(piece.length * 2);
      }
  } catch (error) {
    if (filled > 0) yield piece.slice(0, filled);
    throw error;
  }
  if (filled > 0) yield piece.slice(0, filled);
}
