import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@sheaf/testbed';
import { unlessMissing } from './missing.ts';
import type { Protocol } from './options.ts';
import { rcloneVersion } from './rclone.ts';
import { type BenchServer, startServer } from './servers/server.ts';
import { type SheafProcess, type User, signUp, startSheaf } from './sheaf.ts';

/** A server, and a Sheaf of its own with a user. */
export interface Setting {
  readonly server: BenchServer;
  readonly sheaf: SheafProcess;
  readonly user: User;
  /** Whether this machine has rclone to compare with. */
  readonly hasRclone: boolean;
}

/** Starts the protocol's server and a Sheaf, works with them, and stops both whatever happens. A server that is missing here is named, and left out. */
export async function withSetting(
  protocol: Protocol,
  work: (setting: Setting) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  await unlessMissing(protocol, async () => {
    const server = await startServer[protocol]();
    try {
      await withSheaf(
        (sheaf, user) => rcloneVersion().then((version) => work({ server, sheaf, user, hasRclone: version !== undefined })),
        settings,
      );
    } finally {
      await server.stop();
    }
  });
}

/** Starts a Sheaf, works with it as a new user, and stops it whatever happens. */
export async function withSheaf(
  work: (sheaf: SheafProcess, user: User) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const sheaf = await startSheaf(settings);
  try {
    await work(sheaf, await signUp(sheaf));
  } finally {
    await sheaf.stop();
  }
}

/** Works with a file of so many bytes that do not compress, in the system's temporary folder. */
export async function withBigFile(bytes: number, work: (path: string) => Promise<void>): Promise<void> {
  const folder = await tempDir('bench-file');
  try {
    const path = join(folder.path, 'big.bin');
    const file = await open(path, 'w');
    const block = randomBytes(2 ** 20);
    for (let written = 0; written < bytes; written += block.length) await file.write(block.subarray(0, bytes - written));
    await file.close();
    await work(path);
  } finally {
    await folder.remove();
  }
}
