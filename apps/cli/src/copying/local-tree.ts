import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What lies in a local folder; `path` is below it, with slashes on every system. */
export interface LocalFile {
  readonly path: string;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

export interface LocalTree {
  readonly files: readonly LocalFile[];
  /** Every folder before what it holds; the exported folder itself is not among them. */
  readonly folders: readonly string[];
  /** Links and special files, which are not copied. */
  readonly skipped: readonly string[];
  /** What could not be read, and why. Nothing is known of what lies below a folder among these. */
  readonly unreadable: readonly { readonly path: string; readonly why: unknown }[];
}

/** Reads what a folder holds, in the order of names. Symbolic links are not followed. Rejects when the folder itself cannot be read. */
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
