import { type Stats, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has Node keep compiled code, in the folder of NODE_COMPILE_CACHE or in one that is the user's alone; returns the folder, or undefined where there is
 * none. Node's own preset has the same name for everybody in the temporary folder: whoever makes it first decides which code runs in the processes of
 * the others.
 */
export function keepCompiledCode(): string | undefined {
  // With NODE_COMPILE_CACHE, Node has begun before this program.
  const given = getCompileCacheDir();
  if (given !== undefined) return given;
  const folder = ownFolder(tmpdir());
  if (folder === undefined) return undefined;
  enableCompileCache(folder);
  return getCompileCacheDir();
}

/** Makes a folder for this user in `parent`, where others may write too; undefined where another one's is in its place, or none can be made. */
export function ownFolder(parent: string): string | undefined {
  const user = process.getuid?.();
  const folder = join(parent, user === undefined ? 'sheaf-code' : `sheaf-code-${user}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(lstatSync(folder), user) ? folder : undefined;
  } catch {
    // A read-only or missing temporary folder: each start compiles anew, and nothing else depends on it.
    return undefined;
  }
}

/** On Windows, where users have no number, the temporary folder is the user's own. */
const isOwn = (folder: Stats, user: number | undefined): boolean =>
  folder.isDirectory() && (user === undefined || (folder.uid === user && (folder.mode & 0o077) === 0));
