import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../process.ts';

/** A running WebDAV server of the testbed. */
export interface DavServer {
  readonly host: string;
  readonly port: number;
  /** URL of the served folder, without a trailing slash. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** The served folder on the local disk. */
  readonly home: string;
  stop(): Promise<void>;
}

export const davUser = 'mara';
export const davPassword = 'correct: horse ü';
/** The user that Debian's servers switch to: nobody and nogroup. */
export const nobody = { uid: 65_534, gid: 65_534 };

/** Creates the folders of a server; `home` and `state` belong to the user it runs as. */
export async function davFolders(name: string): Promise<{ path: string; home: string; state: string; remove: () => Promise<void> }> {
  const dir = await tempDir(name);
  const { path } = dir;
  const [home, state] = [join(path, 'home'), join(path, 'state')];
  for (const folder of [home, state]) await mkdir(folder);
  for (const folder of [path, home, state]) await chown(folder, nobody.uid, nobody.gid);
  return { path, home, state, remove: () => dir.remove() };
}
