import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** Small files to read one after the other. */
export interface SmallFilesAsked {
  /** Paths, one character per byte, whose last parts must not be links; and the expected sizes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Destination of the bytes; returned with the answer. */
  readonly memory: ArrayBuffer;
}

export interface SmallFilesRead {
  readonly memory: ArrayBuffer;
  /** False: one of the files differs from what was expected. */
  readonly isWhole: boolean;
}

/** Opening a pipe without a writer would block. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Reads a file of exactly that size into the buffer. */
function readWhole(path: Buffer, room: Uint8Array): boolean {
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size !== room.byteLength) return false;
    for (let done = 0; done < room.byteLength;) {
      const read = readSync(file, room, done, room.byteLength - done, done);
      if (read === 0) return false;
      done += read;
    }
    return true;
  } finally {
    closeSync(file);
  }
}

function readAll({ files, memory }: SmallFilesAsked): boolean {
  let at = 0;
  return files.every(({ path, size }) => {
    const room = new Uint8Array(memory, at, size);
    at += size;
    return readWhole(Buffer.from(path, 'latin1'), room);
  });
}

/** Whether all were read; the file server finds the problem by reading the files one by one. */
function areWhole(asked: SmallFilesAsked): boolean {
  try {
    return readAll(asked);
  } catch {
    return false;
  }
}

// A dedicated thread may block on the disk: otherwise each of four system calls per file would go to another thread and back.
parentPort?.on('message', (asked: SmallFilesAsked) => {
  const { memory } = asked;
  parentPort?.postMessage({ memory, isWhole: areWhole(asked) } satisfies SmallFilesRead, [memory]);
});
