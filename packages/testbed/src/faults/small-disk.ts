import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, tempDir } from '../process.ts';
import { own } from '../reaper.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk completely. */
  fill(): Promise<void>;
  /** Frees the space again. */
  free(): Promise<void>;
  stop(): Promise<void>;
}

/** Mounts an in-memory disk of that many bytes; rejects without the permission to mount. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk> {
  const { path: folder, remove } = await tempDir('small-disk');
  const disown = own('mount', folder);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      const file = await open(filler, 'a');
      try {
        // Writes the last bytes in small chunks, so that nothing is left.
        for (const size of [64 << 10, 4 << 10, 1]) while (await hasRoom(() => file.write(Buffer.alloc(size)))) continue;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async stop() {
      await run('umount', ['-l', folder]);
      disown();
      await remove();
    },
  };
}

async function hasRoom(write: () => Promise<{ bytesWritten: number }>): Promise<boolean> {
  try {
    return (await write()).bytesWritten > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}

/** Set in a namespace in which every user may mount. */
const inNamespace = 'SHEAF_TEST_IN_NAMESPACE';

/** Defines the tests of a file that mounts disks; without the permission, runs the whole file in a namespace of its own. */
export async function mountingTests(file: string, define: () => void): Promise<void> {
  if (process.env[inNamespace] !== undefined || (await mayMount())) {
    define();
    return;
  }
  test('the tests of this file, in a namespace of their own', async () => {
    const mount = ['--user', '--map-root-user', '--mount'];
    await run('unshare', [...mount, 'env', '-u', 'NODE_TEST_CONTEXT', `${inNamespace}=1`, process.execPath, '--test', file]);
  });
}

/** Whether this process may mount. */
async function mayMount(): Promise<boolean> {
  try {
    await (await mountSmallDisk(64 << 10)).stop();
    return true;
  } catch {
    return false;
  }
}
