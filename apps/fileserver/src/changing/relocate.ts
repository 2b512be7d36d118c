import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, readlink, symlink, utimes } from 'node:fs/promises';
import type { WireEntry } from '../listing/entry.ts';
import type { Exported, Place } from '../listing/exported.ts';
import { holdFolder, reopenable } from '../listing/held-folder.ts';
import { Refusal, isSystemError } from '../refusal.ts';
import { type Segments, isPartial, partialName } from '../wire-path.ts';
import { isTaken, placeFile, placeFolder } from './put-in-place.ts';
import { discardTree, removeTree } from './removal.ts';

const slash = Buffer.from('/');

interface Relocation {
  readonly from: Segments;
  readonly to: Segments;
  readonly signal: AbortSignal;
}

/** Moves an item. Never replaces: rejects with `alreadyExists`; `forbidden` when a folder would go into itself. */
export async function moveItem(exported: Exported, { from, to, signal }: Relocation): Promise<WireEntry> {
  await using source = await exported.place(from);
  await using target = await exported.place(to);
  const isFolder = await check(source, target);
  const isElsewhere = !source.folder.path.equals(target.folder.path);
  if (isElsewhere && (await lstat(source.path)).isSymbolicLink())
    throw new Refusal('unsupported', 'a symbolic link would lead elsewhere from there');
  try {
    await (isFolder ? placeFolder : placeFile)(source.path, target);
  } catch (error) {
    // Another disk is mounted in between.
    if (!isSystemError(error, 'EXDEV')) throw error;
    await copyBeside(source, target, isFolder, signal);
    await removeTree(source.path, signal);
  }
  await target.folder.sync();
  await source.folder.sync();
  return exported.stat(to);
}

/** Copies an item, or a link's target; the copy appears complete or not at all. Same errors as {@link moveItem}. */
export async function copyItem(exported: Exported, { from, to, signal }: Relocation): Promise<WireEntry> {
  await using asked = await exported.place(from);
  await using target = await exported.place(to);
  await check(asked, target);
  const isLink = (await lstat(asked.path)).isSymbolicLink();
  await using source = isLink ? await exported.follow(asked) : { ...asked, [Symbol.asyncDispose]: async () => undefined };
  await copyBeside(source, target, await check(source, target), signal);
  await target.folder.sync();
  return exported.stat(to);
}

/** Whether the source is a folder; rejects when it cannot go to the target. */
async function check(source: Place, target: Place): Promise<boolean> {
  const isFolder = (await lstat(source.path)).isDirectory();
  if (await isTaken(target)) throw new Refusal('alreadyExists', 'the name is taken');
  const itself = Buffer.concat([source.folder.path, slash, source.name, slash]);
  const isInside = Buffer.concat([target.folder.path, slash]).subarray(0, itself.length).equals(itself);
  if (isFolder && isInside) throw new Refusal('forbidden', 'a folder cannot go into itself');
  return isFolder;
}

async function copyBeside(source: Place, target: Place, isFolder: boolean, signal: AbortSignal): Promise<void> {
  const partial = target.folder.at(partialName());
  try {
    await copyTree(source.path, partial, signal);
    await (isFolder ? placeFolder : placeFile)(partial, target);
  } catch (error) {
    await discardTree(partial);
    throw error;
  }
}

/** Copies files and folders with their times. Symbolic links in a folder stay links; reading through them is checked against the export later. */
async function copyTree(from: Buffer, to: Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) return symlink(await readlink(from, 'buffer'), to);
  if (stats.isFile()) return copyBytes(from, to);
  if (!stats.isDirectory()) return;
  await mkdir(to);
  await using source = await holdFolder(from, { follow: false });
  await using target = await holdFolder(to, { follow: false });
  for await (const name of source.names()) if (!isPartial(name)) await copyTree(source.at(name), target.at(name), signal);
}

async function copyBytes(from: Buffer, to: Buffer): Promise<void> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  await using handle = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  await copyFile(reopenable(handle, from), to, COPYFILE_EXCL | COPYFILE_FICLONE);
  const { atime, mtime } = await handle.stat();
  await utimes(to, atime, mtime);
}
