import { access, constants } from 'node:fs/promises';
import { run } from '@sheaf/testbed';

/** Why nothing can be mounted here; undefined where mounting works. Programs that mount need FUSE and root. */
export async function cannotMount(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'mounting needs root';
  try {
    await access('/dev/fuse', constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return 'this machine has no FUSE (/dev/fuse)';
  }
}

/** Unmounts, and waits until what was written has gone out. */
export const unmount = (folder: string): Promise<string> => run('umount', [folder]);
