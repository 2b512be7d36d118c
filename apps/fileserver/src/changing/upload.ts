import type { Hash } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type WireEntry, toEntry } from '../listing/entry.ts';
import type { Exported } from '../listing/exported.ts';
import { Refusal, isSystemError } from '../refusal.ts';
import { type Segments, partialName } from '../wire-path.ts';
import { hashesOf, startHash, wantedHash } from './content-hash.ts';
import { placeFile } from './put-in-place.ts';
import { type UploadTarget, mustBeWritable, uploadTarget } from './upload-target.ts';

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
  const { mayReplace, modified, wanted } = wishesOf(request);
  await using target = await uploadTarget(exported, path);
  mustBeWritable(target, mayReplace);
  const { place, replaced } = target;

  const partial = place.folder.at(partialName());
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const handle = await open(partial, O_WRONLY | O_CREAT | O_EXCL, 0o666);
  const hash = wanted && startHash();
  try {
    onWanted();
    try {
      await fill(handle, request, hash);
      await finish(handle, { replaced, modified });
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    const hashes = hash && hashesOf(hash, wanted);
    return await putInPlace(partial, target, { mayReplace, hashes });
  } catch (error) {
    await discard(partial);
    throw error;
  }
}

/** What the headers of a request say about the file. */
export const wishesOf = (request: IncomingMessage) => ({
  mayReplace: request.headers['if-none-match'] !== '*',
  modified: modifiedOf(request),
  wanted: wantedHash(request),
});

/** Gives the complete file its mode and time, and syncs it to disk. */
export async function finish(
  handle: FileHandle,
  { replaced, modified }: { readonly replaced: Stats | undefined; readonly modified: number | undefined },
): Promise<void> {
  if (replaced) await handle.chmod(replaced.mode & 0o777);
  if (modified !== undefined) await handle.utimes(modified, modified);
  await handle.sync();
}

interface Placing {
  readonly mayReplace: boolean;
  readonly hashes: WireEntry['hashes'] | undefined;
}

/** Gives the partial file its name. */
export async function putInPlace(
  partial: Buffer,
  { place, name }: Pick<UploadTarget, 'place' | 'name'>,
  { mayReplace, hashes }: Placing,
): Promise<WireEntry> {
  await (mayReplace ? rename(partial, place.path) : placeFile(partial, place));
  await place.folder.sync();
  const entry = toEntry(name, await lstat(place.path));
  if (!entry) throw new Refusal('notFound', 'the file was replaced meanwhile');
  return { ...entry, ...(hashes && { hashes }) };
}

async function fill(handle: FileHandle, request: IncomingMessage, hash: Hash | undefined): Promise<void> {
  const announced = request.headers['content-length'];
  const size = await writeBody(handle, request, { from: 0, ...(hash && { hash }) });
  if (announced !== undefined && size !== Number(announced)) throw new Refusal('sizeDiffers', `${size} of ${announced} bytes came`);
}

interface Writing {
  /** Where in the file the body begins, in bytes. */
  readonly from: number;
  /** Takes the bytes too, while the disk writes them. */
  readonly hash?: Hash;
}

/**
 * Writes the request's body into an open file; returns where it ends. A disconnect breaks the request and thereby the write; a refusal leaves the
 * request open, so that the answer reaches the client.
 */
export async function writeBody(handle: FileHandle, request: IncomingMessage, { from, hash }: Writing): Promise<number> {
  let at = from;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    const writing = writeAll(handle, chunk, at);
    hash?.update(chunk);
    await writing;
    at += chunk.byteLength;
  }
  return at;
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength;)
    done += (await handle.write(chunk, done, chunk.byteLength - done, position + done)).bytesWritten;
}

/** The modification time that the client wants, in epoch seconds. */
function modifiedOf({ headers }: IncomingMessage): number | undefined {
  const text = headers['x-sheaf-modified'];
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,11}$/.test(text)) throw new Refusal('unexpected', 'X-Sheaf-Modified is no time');
  return Number(text);
}

export async function discard(partial: Buffer): Promise<void> {
  try {
    await unlink(partial);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}
