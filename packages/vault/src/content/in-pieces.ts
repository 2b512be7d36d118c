/** Regroups a stream into pieces of the size of `piece`; the last one may be shorter. Reuses `piece`: it is valid only until the next one is requested. */
export async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
  piece = new Uint8Array(size),
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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
