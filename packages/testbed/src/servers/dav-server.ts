import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../process.ts';

/** A running WebDAV server of the testbed. */
export interface DavServer {
  readonly host: string;
  readonly port: number;
  /** The address of the folder it serves, without a slash at the end. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** The folder it serves, on this machine's disk. */
  readonly home: string;
  stop(): Promise<void>;
}

export const davUser = 'mara';
export const davPassword = 'correct: horse ü';
/** Whom Debian's servers become: nobody and nogroup. */
export const nobody = { uid: 65_534, gid: 65_534 };

/** The folders of a server; `home` and `state` belong to the user it runs as. */
export async function davFolders(name: string): Promise<{ path: string; home: string; state: string; remove: () => Promise<void> }> {
  const dir = await tempDir(name);
  const { path } = dir;
  const [home, state] = [join(path, 'home'), join(path, 'state')];
  for (const folder of [home, state]) await mkdir(folder);
  for (const folder of [path, home, state]) await chown(folder, nobody.uid, nobody.gid);
  return { path, home, state, remove: () => dir.remove() };
}
