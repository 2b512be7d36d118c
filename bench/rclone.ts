import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, run, startProcess, tempDir } from '@sheaf/testbed';
import { timed } from './rounds.ts';

/** rclone at work in a process of its own. */
export interface Rclone {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Settings of a remote, as rclone's configuration file names them. */
export type Remote = Readonly<Record<string, string>>;

/** rclone's version, or undefined when this machine has none. */
export async function rcloneVersion(): Promise<string | undefined> {
  return run('rclone', ['version']).then(
    (text) => text.split('\n')[0],
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
}

/** A password as rclone's configuration wants it. */
export const obscured = async (password: string): Promise<string> => (await run('rclone', ['obscure', '--', password])).trim();

/** What rclone serves by. */
export type Served = 'http' | 'webdav' | 'sftp';

/** `rclone serve` on a folder of a remote, for everybody or for one login. */
export const serveRemote = (kind: Served, remote: Remote, folder = '', login?: Login): Promise<Rclone> =>
  serve(kind, { bench: remote }, folder, login);
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** The same over several storages, each in the folder of its name. */
export const serveCombined = (kind: 'http' | 'webdav', storages: Storages): Promise<Rclone> => serve(kind, combined(storages));

/** rclone's remote control; the remote is `bench:`. */
export const startRemoteControl = (remote: Remote): Promise<Rclone> => control({ bench: remote });

/** The same over several storages, each in the folder of its name below `bench:`. */
export const startCombinedControl = (storages: Storages): Promise<Rclone> => control(combined(storages));

/** Folders of remotes by the name under which rclone shows them. */
export type Storages = Readonly<Record<string, { readonly remote: Remote; readonly folder: string }>>;

/** The sections of a configuration file; rclone works on the one called `bench`. */
type Sections = Readonly<Record<string, Remote>>;

/** The only remote by which rclone shows several storages in one place, each in a folder: https://rclone.org/combine/ */
function combined(storages: Storages): Sections {
  const named = Object.entries(storages);
  return {
    ...Object.fromEntries(named.map(([name, { remote }]) => [name, remote])),
    bench: { type: 'combine', upstreams: named.map(([name, { folder }]) => `${name}=${name}:${folder}`).join(' ') },
  };
}

/** rclone's own copy between two remotes, called `from` and `to` in `args`; resolves with the seconds that it took, its start included. */
export async function runBetween(from: Remote, to: Remote, args: readonly string[]): Promise<number> {
  const folder = await tempDir('bench-rclone');
  try {
    const config = join(folder.path, 'rclone.conf');
    await writeFile(config, Object.entries({ from, to }).map(sectionText).join('\n'), { mode: 0o600 });
    return await timed(() => run('env', ['-u', 'AWS_CA_BUNDLE', 'rclone', '--config', config, ...args]));
  } finally {
    await folder.remove();
  }
}

const serve = (kind: Served, sections: Sections, folder = '', login?: Login): Promise<Rclone> =>
  start(sections, (port) => [
    'serve',
    kind,
    `bench:${folder}`,
    '--addr',
    `127.0.0.1:${port}`,
    ...(login ? ['--user', login.username, '--pass', login.password] : []),
  ]);

const control = (sections: Sections): Promise<Rclone> =>
  start(sections, (port) => ['rcd', '--rc-no-auth', '--rc-addr', `127.0.0.1:${port}`]);

const sectionText = ([title, remote]: [string, Remote]): string =>
  [`[${title}]`, ...Object.entries(remote).map(([name, value]) => `${name} = ${value}`), ''].join('\n');

async function start(sections: Sections, args: (port: number) => readonly string[]): Promise<Rclone> {
  const folder = await tempDir('bench-rclone');
  const config = join(folder.path, 'rclone.conf');
  await writeFile(config, Object.entries(sections).map(sectionText).join('\n'), { mode: 0o600 });
  const port = await freePort();
  const server = await startProcess({
    command: 'rclone',
    args: ['--config', config, ...args(port)],
    // rclone 1.60 refuses S3 altogether where this is set.
    // What it cannot stream it writes to a file first: in the system's folder for such files, as it does by default, not in the memory that the measured files lie in.
    env: { AWS_CA_BUNDLE: '', TMPDIR: '' },
    ready: port,
    debianPackage: 'rclone',
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid,
    async stop() {
      await server.stop();
      await folder.remove();
    },
  };
}
