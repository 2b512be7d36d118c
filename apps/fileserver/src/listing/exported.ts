import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { Refusal, isSystemError } from '../refusal.ts';
import type { Segments } from '../wire-path.ts';
import { type WireEntry, toEntry } from './entry.ts';
import { type HeldFolder, holdFolder, locate } from './held-folder.ts';

/** A place in the export: an existing folder and a name in it that may be free. */
export interface Place extends AsyncDisposable {
  readonly folder: HeldFolder;
  readonly name: Buffer;
  /** Same as `folder.at(name)`. */
  readonly path: Buffer;
}

/** The only access to the disk: returns nothing outside the exported folder, whichever symbolic links lead out of it. */
export interface Exported {
  /** The folder; rejects with `notFound` or `notAFolder`. */
  hold(folder: Segments): Promise<HeldFolder>;
  /** Where the item is or would be; rejects with `notFound` without its folder, `forbidden` for the export itself. */
  place(path: Segments): Promise<Place>;
  /** The item; rejects with `notFound`. Follows links within the export. */
  stat(path: Segments): Promise<WireEntry>;
  /** The entry of a name in a held folder, following links within the export; undefined for anything not shown. */
  entryIn(folder: HeldFolder, name: Buffer): Promise<WireEntry | undefined>;
  /** Opens a file for reading; rejects with `notFound` or `isAFolder`. */
  openFile(path: Segments): Promise<{ readonly handle: FileHandle; readonly stats: Stats }>;
  /** Target of a symbolic link; rejects with `forbidden` when it is outside or missing. */
  follow(link: Place): Promise<Place>;
}

const slash = Buffer.from('/');
const notFound = (cause?: unknown) => new Refusal('notFound', 'there is no such item', { cause });

/** Exports the folder at `root`, which must exist. */
export async function exportFolder(root: string): Promise<Exported> {
  const top = await realpath(root, 'buffer');
  const topPrefix = top.equals(slash) ? slash : Buffer.concat([top, slash]);
  const isWithin = (path: Buffer): boolean => path.equals(top) || path.subarray(0, topPrefix.length).equals(topPrefix);
  const pathOf = (segments: Segments): Buffer => Buffer.concat([top, ...segments.flatMap((segment) => [slash, segment])]);

  async function hold(path: Buffer): Promise<HeldFolder> {
    const folder = await holdFolder(path, { follow: true });
    if (isWithin(folder.path)) return folder;
    await folder[Symbol.asyncDispose]();
    throw notFound();
  }

  const placeIn = (folder: HeldFolder, name: Buffer): Place => ({
    folder,
    name,
    path: folder.at(name),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  });

  async function place(path: Segments): Promise<Place> {
    const name = path.at(-1);
    if (!name) throw new Refusal('forbidden', 'the exported folder itself stays as it is');
    return placeIn(await hold(pathOf(path.slice(0, -1))), name);
  }

  /** The real path of a link's target; undefined when it is outside or missing. */
  async function targetOf(link: Buffer): Promise<Buffer | undefined> {
    try {
      const real = await realpath(link, 'buffer');
      return isWithin(real) ? real : undefined;
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return undefined;
      throw error;
    }
  }

  async function entryIn(folder: HeldFolder, name: Buffer): Promise<WireEntry | undefined> {
    const stats = await lstat(folder.at(name));
    if (!stats.isSymbolicLink()) return toEntry(name, stats);
    const target = await targetOf(folder.at(name));
    const entry = target && toEntry(name, await stat(target));
    return entry && { ...entry, link: true };
  }

  async function statOf(path: Segments): Promise<WireEntry> {
    const name = path.at(-1);
    let entry: WireEntry | undefined;
    if (name) {
      await using folder = await hold(pathOf(path.slice(0, -1)));
      entry = await entryIn(folder, name);
    } else entry = toEntry(Buffer.alloc(0), await stat(top));
    if (!entry) throw notFound();
    return entry;
  }

  return {
    place,
    entryIn,
    stat: statOf,
    async hold(folder) {
      try {
        return await hold(pathOf(folder));
      } catch (error) {
        if (isSystemError(error, 'ENOTDIR') && (await statOf(folder)).kind === 'file')
          throw new Refusal('notAFolder', 'this is a file', { cause: error });
        throw error;
      }
    },
    async openFile(path) {
      if (path.length === 0) throw new Refusal('isAFolder', 'this is a folder');
      await using at = await place(path);
      // Opening a pipe without a writer would block.
      const handle = await open(at.path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        if (!isWithin(await locate(handle, at.path))) throw notFound();
        const stats = await handle.stat();
        if (stats.isDirectory()) throw new Refusal('isAFolder', 'this is a folder');
        if (!stats.isFile()) throw notFound();
        return { handle, stats };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    async follow({ path }) {
      const target = await targetOf(path);
      if (!target) throw new Refusal('forbidden', 'a symbolic link that leads out of the exported folder has this name');
      const cut = target.lastIndexOf('/');
      return placeIn(await hold(cut === 0 ? slash : target.subarray(0, cut)), target.subarray(cut + 1));
    },
  };
}
