import { release } from './release.ts';

type Take = (chunk: Uint8Array) => Promise<void> | undefined;

export type Window = ReturnType<typeof createWindow>;

/** Collects smaller pieces into buffers of this size: each write costs as much as a large one. */
const smallPiece = 16 * 1024;
const together = 128 * 1024;
/** Most of our own bytes in flight: waiting for each write would leave the line idle. */
const mostUnderWay = 2 * 1024 * 1024;

/**
 * The requested range of a long file that is written from its beginning: drops what is before and behind it. Hands pieces on in order, even if the
 * next comes before the last was taken.
 */
export function createWindow(take: Take, { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number } = {}) {
  let position = 0;
  let gathered: Buffer | undefined;
  let used = 0;
  let bytesUnderWay = 0;
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  /** Cuts a chunk to the range. */
  function asked(chunk: Uint8Array): Uint8Array {
    const [from, to] = [Math.max(0, start - position), Math.min(chunk.byteLength, end - position)];
    position += chunk.byteLength;
    return from === 0 && to === chunk.byteLength ? chunk : chunk.subarray(Math.min(from, chunk.byteLength), Math.max(from, to));
  }

  /** Sends a buffer and gives up its ownership. */
  function send(piece: Uint8Array, memory: Buffer): void {
    const { byteLength } = piece;
    const taking = take(piece);
    if (!taking) return release(memory);
    bytesUnderWay += byteLength;
    const sending = taking
      .then(() => release(memory))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        bytesUnderWay -= byteLength;
        underWay.delete(sending);
      });
    underWay.add(sending);
  }

  function sendGathered(): void {
    if (gathered) send(gathered.subarray(0, used), gathered);
    gathered = undefined;
    used = 0;
  }

  function gather(piece: Uint8Array): void {
    if (used + piece.byteLength > together) sendGathered();
    gathered ??= Buffer.allocUnsafeSlow(together);
    gathered.set(piece, used);
    used += piece.byteLength;
  }

  async function waitUntil(most: number): Promise<void> {
    while (bytesUnderWay > most && !failure) await Promise.race(underWay);
    if (failure) throw failure.error;
  }

  return {
    start,
    end,
    position: (): number => position,
    /** Skips bytes that were not produced. */
    skip(bytes: number): void {
      position += bytes;
    },
    /** Writes a borrowed chunk; resolves when its memory is free again. */
    async write(chunk: Uint8Array): Promise<void> {
      const piece = asked(chunk);
      if (piece.byteLength >= smallPiece) {
        sendGathered();
        await take(piece);
      } else if (piece.byteLength > 0) gather(piece);
      await waitUntil(mostUnderWay);
    },
    /** Writes a buffer and gives up its ownership; resolves when there is room for more. */
    async give(chunk: Buffer): Promise<void> {
      const piece = asked(chunk);
      if (piece.byteLength >= smallPiece) {
        sendGathered();
        send(piece, chunk);
      } else {
        if (piece.byteLength > 0) gather(piece);
        release(chunk);
      }
      await waitUntil(mostUnderWay);
    },
    /** Ends the file; resolves when everything was taken. */
    async flush(): Promise<void> {
      sendGathered();
      await waitUntil(0);
    },
  };
}
