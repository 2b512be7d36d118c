import { constants } from 'node:fs';
import { type FileHandle, open, opendir, readlink, realpath } from 'node:fs/promises';
import { platform } from 'node:process';

/** A folder held open: `at` stays in it even when its path changes. */
export interface HeldFolder extends AsyncDisposable {
  /** Its real path. */
  readonly path: Buffer;
  /** A path to the entry with this name. Its last part is not followed unless the system call follows links. */
  at(name: Buffer): Buffer;
  /** Its names, in the disk's order. */
  names(): AsyncIterable<Buffer>;
  /** Syncs changes of its names to disk. */
  sync(): Promise<void>;
}

const slash = Buffer.from('/');
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/**
 * proc(5): the entries of this folder lead to the open files themselves, not to their paths. Other systems have no equivalent; there, real paths are
 * used.
 */
const openFiles = platform === 'linux' ? '/proc/self/fd' : undefined;
/** Names read from the disk at once. */
const bufferSize = 1024;

/** The real path of an open file. */
export const locate = (handle: FileHandle, path: Buffer): Promise<Buffer> =>
  openFiles ? readlink(`${openFiles}/${handle.fd}`, 'buffer') : realpath(path, 'buffer');

/** A path to the open file itself; on systems without one, to the file that has its name now. */
export const reopenable = (handle: FileHandle, path: Buffer): Buffer => (openFiles ? Buffer.from(`${openFiles}/${handle.fd}`) : path);

/** Opens a folder and holds it; a symbolic link only with `follow`. Rejects with the system's error. */
export async function holdFolder(path: Buffer, { follow }: { readonly follow: boolean }): Promise<HeldFolder> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));
  try {
    const real = await locate(handle, path);
    const base = Buffer.concat([openFiles ? reopenable(handle, path) : real, slash]);
    return {
      path: real,
      at: (name) => Buffer.concat([base, name]),
      async *names() {
        // This encoding preserves the bytes of names that are not UTF-8.
        for await (const { name } of await opendir(base, { encoding: 'latin1', bufferSize })) yield Buffer.from(name, 'latin1');
      },
      sync: () => handle.sync(),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
