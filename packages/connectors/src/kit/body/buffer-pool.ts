/** Large buffers that are reused, so that a download of any size allocates nothing. */
export interface BufferPool {
  /** Size of each buffer in bytes. */
  readonly size: number;
  take(): Buffer;
  /** Returns a buffer to the pool; it must not be read any more. */
  give(buffer: Buffer): void;
}

/** A pool of buffers of `size` bytes that keeps at most `keep` unused ones. */
export function createBufferPool({ size, keep }: { size: number; keep: number }): BufferPool {
  const spare: Buffer[] = [];
  return {
    size,
    take: () => spare.pop() ?? Buffer.allocUnsafeSlow(size),
    give(buffer) {
      if (spare.length < keep) spare.push(buffer);
    },
  };
}

/**
 * Buffers for sockets of downloads, shared by all connections of the process. With half the size a fast download takes a twelfth longer;
 * twice the size gains nothing.
 */
export const socketBuffers = createBufferPool({ size: 1024 * 1024, keep: 16 });
