import { release } from './release.ts';

type Take = (chunk: Uint8Array) => Promise<void>;

export type Window = ReturnType<typeof createWindow>;

/** Pieces smaller than this go together, so many bytes at a time: each that leaves by itself costs as much as a large one. */
const smallPiece = 16 * 1024;
const together = 128 * 1024;

/**
 * The part of a long file that is asked for, while the file is written from its beginning: what lies before and behind it falls away. Pieces are
 * handed on in their order, also when the next comes before the last is taken.
 */
export function createWindow(take: Take, { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number } = {}) {
  let position = 0;
  let gathered: Buffer | undefined;
  let used = 0;

  async function flush(): Promise<void> {
    if (!gathered) return;
    const whole = gathered;
    gathered = undefined;
    await take(whole.subarray(0, used));
    release(whole);
  }

  function gather(piece: Uint8Array): Promise<void> | undefined {
    const full = gathered && used + piece.byteLength > together ? flush() : undefined;
    if (!gathered) {
      gathered = Buffer.allocUnsafeSlow(together);
      used = 0;
    }
    gathered.set(piece, used);
    used += piece.byteLength;
    return full;
  }

  return {
    start,
    end,
    position: (): number => position,
    /** Passes over bytes that nobody made. */
    skip(bytes: number): void {
      position += bytes;
    },
    /** Resolves when the chunk's memory is free again. */
    async write(chunk: Uint8Array): Promise<void> {
      const [from, to] = [Math.max(0, start - position), Math.min(chunk.byteLength, end - position)];
      position += chunk.byteLength;
      if (from >= to) return;
      const piece = from === 0 && to === chunk.byteLength ? chunk : chunk.subarray(from, to);
      if (piece.byteLength < smallPiece) await gather(piece);
      else await Promise.all([flush(), take(piece)]);
    },
    /** Hands on what is still gathered: nothing more comes. */
    flush,
  };
}
