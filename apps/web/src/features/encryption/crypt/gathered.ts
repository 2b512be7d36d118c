/** Sizes in bytes of the first piece (small, to arrive soon) and of the largest (a message between workers costs as much as thousands of bytes). */
const [smallest, largest] = [65_536, 1024 * 1024];

/**
 * Regroups a stream into growing pieces, each in a buffer of its own from `newRoom`, so that it can be transferred. Bytes read before the source fails
 * are yielded before the failure is thrown.
 */
export async function* gathered(
  source: AsyncIterable<Uint8Array>,
  newRoom = (size: number): ArrayBuffer => new ArrayBuffer(size),
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let size = smallest;
  let piece: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  try {
    for await (const bytes of source)
      for (let taken = 0; taken < bytes.length;) {
        piece ??= new Uint8Array(newRoom(size));
        const part = bytes.subarray(taken, taken + size - filled);
        piece.set(part, filled);
        filled += part.length;
        taken += part.length;
        if (filled < size) continue;
        yield piece;
        piece = undefined;
        filled = 0;
        size = Math.min(size * 2, largest);
      }
  } catch (error) {
    if (piece) yield piece.subarray(0, filled);
    throw error;
  }
  if (piece) yield piece.subarray(0, filled);
}
