import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSshKey, run, startOpenssh, tempDir } from '@sheaf/testbed';
import { obscured } from '../rclone.ts';
import { timed } from '../rounds.ts';
import { homeOf } from './files.ts';
import type { BenchServer } from './server.ts';

/** OpenSSH; its own client is `sftp` with a key, as it asks for passwords at a terminal only. */
export async function startSftpServer(): Promise<BenchServer> {
  const keys = await makeSshKey();
  const folder = await tempDir('bench-sftp');
  const keyFile = join(folder.path, 'key');
  await writeFile(keyFile, keys.privateKey, { mode: 0o600 });
  const server = await startOpenssh({ authorizedKeys: [keys.publicKey] });
  const { username, password, home } = server;
  const pass = await obscured(password);

  const sftp = (port: number, line: string): Promise<number> =>
    timed(async () => {
      const batch = join(folder.path, 'batch');
      await writeFile(batch, `${line}\n`);
      const unasked = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'];
      await run('sftp', ['-q', '-b', batch, '-i', keyFile, '-P', String(port), ...unasked, `${username}@127.0.0.1`]);
    });

  const behind = (port: number) => ({
    linking: {
      family: 'sftp' as const,
      provider: 'SFTP',
      info: {
        server: `127.0.0.1:${port}`,
        username,
        password,
        numConcurrentConnections: '3',
        accessType: 'Internet accessible sftp server',
        path: '',
        enforceSSL: 'ENFORCE_MATCH',
      },
    },
    remote: { type: 'sftp', host: '127.0.0.1', port: String(port), user: username, pass, shell_type: 'none' },
    fetchDirectly: (name: string) => sftp(port, `get ${name} /dev/null`),
  });
  return {
    ...homeOf(home),
    ...behind(server.port),
    behind,
    port: server.port,
    remoteFolder: '',
    sendDirectly: (file, name) => sftp(server.port, `put ${file} ${name}`),
    listDirectly: (name) => sftp(server.port, `ls -1fl ${name}`),
    async stop() {
      await server.stop();
      await folder.remove();
    },
  };
}
