/** The same bytes in pieces of that size, but for the last one. A piece is valid until the next one is asked for. */
export async function* inPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(size);
  let filled = 0;
  for await (const bytes of source) {
    let taken = 0;
    while (taken < bytes.length) {
      const part = bytes.subarray(taken, taken + size - filled);
      piece.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled === size) {
        yield piece;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
