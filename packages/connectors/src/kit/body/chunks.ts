/** Bytes in memory as separate chunks: joining them would only copy them. */
export type Chunks = readonly Uint8Array[];

export const lengthOf = (chunks: Chunks): number => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);

/** Splits bytes into pieces of at most `size`, without copying. */
export const piecesOf = (bytes: Uint8Array, size: number): Chunks =>
  Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));

/** Returns the bytes from `offset` on, without copying. */
export function chunksFrom(chunks: Chunks, offset: number): Chunks {
  let skip = offset;
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(skip);
    skip = Math.max(0, skip - chunk.byteLength);
    return rest.byteLength > 0 ? [rest] : [];
  });
}
