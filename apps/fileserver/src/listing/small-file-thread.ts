import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** Small files to be read one behind the other. */
export interface SmallFilesAsked {
  /** Paths, a character for each byte, whose last parts must be no links; and the bytes that the files must have. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Where the bytes go; given back with the answer. */
  readonly memory: ArrayBuffer;
}

export interface SmallFilesRead {
  readonly memory: ArrayBuffer;
  /** False: one of the files is not what it was taken for. */
  readonly isWhole: boolean;
}

/** A pipe without a writer would wait for one. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Reads a file of just that size into the room. */
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

/** Whether all could be read; what is wrong with one of them, the file server learns by reading it alone. */
function areWhole(asked: SmallFilesAsked): boolean {
  try {
    return readAll(asked);
  } catch {
    return false;
  }
}

// A thread of its own may wait for the disk: four calls of the system a file, each of which would be handed to another thread and back otherwise.
parentPort?.on('message', (asked: SmallFilesAsked) => {
  const { memory } = asked;
  parentPort?.postMessage({ memory, isWhole: areWhole(asked) } satisfies SmallFilesRead, [memory]);
});
