/** Big buffers that are used again and again, so that a download of any size costs no allocation. */
export interface BufferPool {
  /** Bytes in each buffer. */
  readonly size: number;
  take(): Buffer;
  /** Takes a buffer back; nobody may look at it any more. */
  give(buffer: Buffer): void;
}

/** A pool of buffers of `size` bytes that holds on to at most `keep` unused ones. */
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

/** The buffers that sockets of downloads read into, shared by all connections of the process. With half the size a fast download takes a twelfth longer, with twice the size no less. */
export const socketBuffers = createBufferPool({ size: 1024 * 1024, keep: 16 });
