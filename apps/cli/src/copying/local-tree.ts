import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** An item of a local folder; `path` is relative, with slashes on every system. */
export interface LocalFile {
  readonly path: string;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

export interface LocalTree {
  readonly files: readonly LocalFile[];
  /** Each folder comes before its content; the root itself is not included. */
  readonly folders: readonly string[];
  /** Symbolic links and special files, which are not copied. */
  readonly skipped: readonly string[];
  /** Items that could not be read, with the reason. The content of a folder among these is unknown. */
  readonly unreadable: readonly { readonly path: string; readonly why: unknown }[];
}

/** Reads a folder's tree, sorted by name. Does not follow symbolic links. Rejects when the folder itself cannot be read. */
export async function readLocalTree(root: string, signal: AbortSignal): Promise<LocalTree> {
  const files: LocalFile[] = [];
  const folders: string[] = [];
  const skipped: string[] = [];
  const unreadable: { path: string; why: unknown }[] = [];

  async function take(entry: Dirent, path: string): Promise<void> {
    if (entry.isDirectory()) {
      folders.push(path);
      const inside = await readdir(join(root, path), { withFileTypes: true }).catch((why: unknown) => void unreadable.push({ path, why }));
      if (inside) await walk(inside, `${path}/`);
      return;
    }
    if (!entry.isFile()) {
      skipped.push(path);
      return;
    }
    try {
      const { size, mtimeMs } = await lstat(join(root, path));
      files.push({ path, size, modified: Math.floor(mtimeMs) });
    } catch (why) {
      unreadable.push({ path, why });
    }
  }

  async function walk(entries: readonly Dirent[], prefix: string): Promise<void> {
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      signal.throwIfAborted();
      await take(entry, prefix + entry.name);
    }
  }

  await walk(await readdir(root, { withFileTypes: true }), '');
  return { files, folders, skipped, unreadable };
}
