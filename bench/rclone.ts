import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, run, startProcess, tempDir } from '@sheaf/testbed';

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
export const obscured = async (password: string): Promise<string> => (await run('rclone', ['obscure', password])).trim();

/** `rclone serve http` (reads) or `rclone serve webdav` (writes) on a folder of a remote. */
export const serveRemote = (kind: 'http' | 'webdav', remote: Remote, folder = ''): Promise<Rclone> =>
  start(remote, (port) => ['serve', kind, `bench:${folder}`, '--addr', `127.0.0.1:${port}`]);

/** rclone's remote control; the remote is `bench:`. */
export const startRemoteControl = (remote: Remote): Promise<Rclone> =>
  start(remote, (port) => ['rcd', '--rc-no-auth', '--rc-addr', `127.0.0.1:${port}`]);

async function start(remote: Remote, args: (port: number) => readonly string[]): Promise<Rclone> {
  const folder = await tempDir('bench-rclone');
  const config = join(folder.path, 'rclone.conf');
  await writeFile(config, ['[bench]', ...Object.entries(remote).map(([name, value]) => `${name} = ${value}`), ''].join('\n'), {
    mode: 0o600,
  });
  const port = await freePort();
  const server = await startProcess({
    command: 'rclone',
    args: ['--config', config, ...args(port)],
    // rclone 1.60 refuses S3 altogether where this is set.
    env: { AWS_CA_BUNDLE: '' },
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
