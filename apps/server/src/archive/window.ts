type Take = (chunk: Uint8Array) => Promise<void>;

export type Window = ReturnType<typeof createWindow>;

/** The part of a long file that is asked for, while the file is written from its beginning: what lies before and behind it falls away. */
export function createWindow(take: Take, { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number } = {}) {
  let position = 0;
  return {
    start,
    end,
    position: (): number => position,
    /** Passes over bytes that nobody made. */
    skip(bytes: number): void {
      position += bytes;
    },
    async write(chunk: Uint8Array): Promise<void> {
      const [from, to] = [Math.max(0, start - position), Math.min(chunk.byteLength, end - position)];
      position += chunk.byteLength;
      if (from < to) await take(from === 0 && to === chunk.byteLength ? chunk : chunk.subarray(from, to));
    },
  };
}
