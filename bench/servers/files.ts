import { createHash } from 'node:crypto';
import { chmod, chown, copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is done to the folder that a server of this machine exports. */
export interface Home {
  place(file: string, name: string): Promise<void>;
  fill(folder: string, count: number, size?: number): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Names that come in no order: `img-3f9a….jpg`. */
export const fileNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `img-${createHash('md5').update(String(number)).digest('hex').slice(0, 12)}-${number}.jpg`);

/** The content of a file of that name. */
export const contentOf = (name: string, size: number): Buffer => Buffer.alloc(size, name);

/** Works on a server's folder directly; everything belongs to the folder's owner. */
export function homeOf(home: string): Home {
  return {
    async place(file, name) {
      const { uid, gid } = await stat(home);
      await copyFile(file, join(home, name));
      await chown(join(home, name), uid, gid);
    },
    async fill(folder, count, size = 0) {
      const { uid, gid } = await stat(home);
      await mkdir(join(home, folder));
      for (const name of fileNames(count)) await writeFile(join(home, folder, name), contentOf(name, size));
      await chown(join(home, folder), uid, gid);
      await chmod(join(home, folder), 0o755);
    },
    remove: (name) => rm(join(home, name), { force: true, recursive: true }),
  };
}
