import { constants } from 'node:fs';
import { type FileHandle, open, opendir, readlink, realpath } from 'node:fs/promises';
import { platform } from 'node:process';

/** A folder held open: whatever happens to the paths that led to it, `at` stays in it. */
export interface HeldFolder extends AsyncDisposable {
  /** Where it really is. */
  readonly path: Buffer;
  /** A path to what has this name in it. Its last part is not followed unless the call that gets it follows links. */
  at(name: Buffer): Buffer;
  /** The names in it, as the disk gives them. */
  names(): AsyncIterable<Buffer>;
  /** Makes changes of its names durable. */
  sync(): Promise<void>;
}

const slash = Buffer.from('/');
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** proc(5): the entries of this folder lead to open files themselves, not to their paths. Other systems have no such thing; there, real paths must do. */
const openFiles = platform === 'linux' ? '/proc/self/fd' : undefined;
/** Names that are taken from the disk in one go. */
const bufferSize = 1024;

/** Where an open file really is. */
export const locate = (handle: FileHandle, path: Buffer): Promise<Buffer> =>
  openFiles ? readlink(`${openFiles}/${handle.fd}`, 'buffer') : realpath(path, 'buffer');

/** A path to an open file itself; on systems without one, to what has its name now. */
export const reopenable = (handle: FileHandle, path: Buffer): Buffer => (openFiles ? Buffer.from(`${openFiles}/${handle.fd}`) : path);

/** Holds a folder; a link to one only when told to `follow`. Rejects with the system's error. */
export async function holdFolder(path: Buffer, { follow }: { readonly follow: boolean }): Promise<HeldFolder> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));
  try {
    const real = await locate(handle, path);
    const base = Buffer.concat([openFiles ? reopenable(handle, path) : real, slash]);
    return {
      path: real,
      at: (name) => Buffer.concat([base, name]),
      async *names() {
        // In this encoding names that are no UTF-8 keep their bytes.
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
