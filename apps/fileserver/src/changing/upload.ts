import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type WireEntry, toEntry } from '../listing/entry.ts';
import type { Exported } from '../listing/exported.ts';
import { Refusal, isSystemError } from '../refusal.ts';
import { type Segments, partialName } from '../wire-path.ts';
import { isTaken, placeFile } from './put-in-place.ts';

interface Upload {
  readonly request: IncomingMessage;
  /** Called before the bytes are read, after all checks that need no bytes. */
  readonly onWanted: () => void;
  readonly signal: AbortSignal;
}

/**
 * Stores the request's body: into a partial file, synced to disk, then renamed, so that the old file stays complete until then. Rejects with
 * `alreadyExists` when the name is taken and must be free (`If-None-Match: *`), with `isAFolder`, `notFound` without the folder, or `sizeDiffers`.
 */
export async function receiveFile(exported: Exported, path: Segments, { request, onWanted, signal }: Upload): Promise<WireEntry> {
  if (path.length === 0) throw new Refusal('isAFolder', 'this is a folder');
  const mayReplace = request.headers['if-none-match'] !== '*';
  const modified = modifiedOf(request);
  await using asked = await exported.place(path);
  const old = (await isTaken(asked)) ? await lstat(asked.path) : undefined;
  if (old && !mayReplace) throw new Refusal('alreadyExists', 'the name is taken');
  await using place = old?.isSymbolicLink() ? await exported.follow(asked) : { ...asked, [Symbol.asyncDispose]: async () => undefined };
  const replaced = old?.isSymbolicLink() ? await lstat(place.path) : old;
  if (replaced && !replaced.isFile()) throw new Refusal('isAFolder', 'something that is no file has this name');

  const partial = place.folder.at(partialName());
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const handle = await open(partial, O_WRONLY | O_CREAT | O_EXCL, 0o666);
  try {
    onWanted();
    try {
      await fill(handle, request);
      if (replaced) await handle.chmod(replaced.mode & 0o777);
      if (modified !== undefined) await handle.utimes(modified, modified);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await (mayReplace ? rename(partial, place.path) : placeFile(partial, place));
  } catch (error) {
    await discard(partial);
    throw error;
  }
  await place.folder.sync();
  const entry = toEntry(asked.name, await lstat(place.path));
  if (!entry) throw new Refusal('notFound', 'the file was replaced meanwhile');
  return entry;
}

/** A disconnect breaks the request and thereby the write; a refusal leaves the request open, so that the answer reaches the client. */
async function fill(handle: FileHandle, request: IncomingMessage): Promise<void> {
  const announced = request.headers['content-length'];
  await handle.writeFile(request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>);
  const { size } = await handle.stat();
  if (announced !== undefined && size !== Number(announced)) throw new Refusal('sizeDiffers', `${size} of ${announced} bytes came`);
}

/** The modification time that the client wants, in epoch seconds. */
function modifiedOf({ headers }: IncomingMessage): number | undefined {
  const text = headers['x-sheaf-modified'];
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,11}$/.test(text)) throw new Refusal('unexpected', 'X-Sheaf-Modified is no time');
  return Number(text);
}

async function discard(partial: Buffer): Promise<void> {
  try {
    await unlink(partial);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}
