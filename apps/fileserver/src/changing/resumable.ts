import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { WireEntry } from '../listing/entry.ts';
import type { Exported } from '../listing/exported.ts';
import { Refusal, isSystemError, refusalOf } from '../refusal.ts';
import { type Segments, resumableName } from '../wire-path.ts';
import { hashFile, hashesOf } from './content-hash.ts';
import { uploadLife } from './sweep.ts';
import { mustBeWritable, uploadTarget } from './upload-target.ts';
import { discard, finish, putInPlace, wishesOf, writeBody } from './upload.ts';

/** An upload in requests of their own; its partial file lies beside its target. */
interface Asked {
  readonly path: Segments;
  readonly upload: string;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR, O_WRONLY } = constants;

/** Begins an upload; rejects as a write does. Returns its id and until when it is kept without another part, in epoch seconds. */
export async function beginUpload(exported: Exported, path: Segments, request: IncomingMessage) {
  await using target = await uploadTarget(exported, path);
  mustBeWritable(target, wishesOf(request).mayReplace);
  const upload = crypto.randomUUID();
  // What replaces a private file is private from the beginning.
  const mode = target.replaced ? (target.replaced.mode & 0o777) | 0o600 : 0o666;
  const handle = await open(target.place.folder.at(resumableName(upload)), O_WRONLY | O_CREAT | O_EXCL, mode);
  await handle.close();
  await target.place.folder.sync();
  return { upload, expires: Math.floor((Date.now() + uploadLife) / 1000) };
}

/** Bytes that the server has: they are contiguous; those of answered parts are on the disk. */
export async function uploadState(exported: Exported, { path, upload }: Asked) {
  await using target = await uploadTarget(exported, path);
  await using handle = await opened(target.place.folder.at(resumableName(upload)));
  return { offset: (await handle.stat()).size };
}

interface Part extends Asked {
  readonly offset: number;
  readonly request: IncomingMessage;
  /** Called before the bytes are read. */
  readonly onWanted: () => void;
}

/** Stores the request's body from `offset` on, and syncs it to disk. Rejects with `badRange` when bytes before it are missing. */
export async function receivePart(exported: Exported, { path, upload, offset, request, onWanted }: Part) {
  await using target = await uploadTarget(exported, path);
  await using handle = await opened(target.place.folder.at(resumableName(upload)));
  const { size } = await handle.stat();
  if (size < offset) throw new Refusal('badRange', `the part begins after the ${size} bytes that are here`);
  onWanted();
  const end = await writeBody(handle, request, { from: offset });
  const announced = request.headers['content-length'];
  if (announced !== undefined && end - offset !== Number(announced))
    throw new Refusal('sizeDiffers', `${end - offset} of ${announced} bytes came`);
  await handle.datasync();
  return { offset: end };
}

interface Finish extends Asked {
  readonly size: number;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
}

/** Makes the file of what was uploaded; rejects with `sizeDiffers`, `damaged` or `alreadyExists`, and keeps the upload then. */
export async function finishUpload(exported: Exported, { path, upload, size, request, signal }: Finish): Promise<WireEntry> {
  const { mayReplace, modified, wanted } = wishesOf(request);
  await using target = await uploadTarget(exported, path);
  const partial = target.place.folder.at(resumableName(upload));
  await using handle = await opened(partial);
  mustBeWritable(target, mayReplace);
  const stats = await handle.stat();
  if (stats.size !== size) throw new Refusal('sizeDiffers', `${stats.size} of ${size} bytes are here`);
  const hashes = wanted && hashesOf(await hashFile(handle, signal), wanted);
  await finish(handle, { replaced: target.replaced, modified });
  signal.throwIfAborted();
  return await putInPlace(partial, target, { mayReplace, hashes });
}

/** Deletes what was uploaded; does nothing when it is gone. */
export async function abandonUpload(exported: Exported, { path, upload }: Asked): Promise<void> {
  try {
    await using target = await uploadTarget(exported, path);
    await discard(target.place.folder.at(resumableName(upload)));
  } catch (error) {
    // The folder is gone, and the upload with it.
    if (refusalOf(error).code !== 'notFound') throw error;
  }
}

async function opened(partial: Buffer): Promise<FileHandle> {
  try {
    return await open(partial, O_RDWR | O_NOFOLLOW);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) throw new Refusal('notFound', 'there is no such upload', { cause: error });
    throw error;
  }
}
