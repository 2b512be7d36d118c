import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateFiles } from '../certificates.ts';
import { freePort, run, startProcess, tempDir } from '../process.ts';
import { type FtpServer, ftpPassword, ftpUser } from './ftp-server.ts';

interface Options {
  /** Present: explicit TLS with this certificate is offered and required. */
  readonly tls?: CertificateFiles;
  /** Additional server directives, such as `MaxClients 1`. */
  readonly extra?: readonly string[];
}

/**
 * Starts ProFTPD with one virtual user and a temporary folder; supports MLSD, UTF-8 and, with a certificate, AUTH TLS with session reuse required.
 */
export async function startProftpd({ tls, extra = [] }: Options = {}): Promise<FtpServer> {
  const dir = await tempDir('proftpd');
  await chmod(dir.path, 0o755);
  const home = join(dir.path, 'home');
  const port = await freePort();
  await mkdir(home);
  const owner = { uid: 65_534, gid: 65_534 };
  await chown(home, owner.uid, owner.gid);
  const hash = (await run('openssl', ['passwd', '-5', ftpPassword])).trim();
  const users = join(dir.path, 'users');
  await writeFile(users, `${ftpUser}:${hash}:${owner.uid}:${owner.gid}::${home}:/bin/sh\n`, { mode: 0o600 });
  const config = join(dir.path, 'proftpd.conf');
  await writeFile(
    config,
    [...directives({ dir: dir.path, users, port }), ...(tls ? tlsDirectives(tls, dir.path) : []), ...extra, ''].join('\n'),
  );
  const server = await startProcess({
    command: 'proftpd',
    args: ['--nodaemon', '--config', config],
    ready: port,
    debianPackage: 'proftpd-core proftpd-mod-crypto',
  });
  return {
    host: '127.0.0.1',
    port,
    user: ftpUser,
    password: ftpPassword,
    home,
    async stop() {
      await server.stop();
      await dir.remove();
    },
  };
}

const directives = ({ dir, users, port }: { dir: string; users: string; port: number }): readonly string[] => [
  'ServerType standalone',
  'ServerName "Sheaf testbed"',
  'UseIPv6 off',
  'UseReverseDNS off',
  'DefaultAddress 127.0.0.1',
  `Port ${port}`,
  'User nobody',
  'Group nogroup',
  'RequireValidShell off',
  'AuthOrder mod_auth_file.c',
  `AuthUserFile ${users}`,
  'DefaultRoot ~',
  'AllowOverwrite on',
  'AllowStoreRestart on',
  'TimesGMT on',
  'MaxInstances 100',
  `PidFile ${join(dir, 'pid')}`,
  `ScoreboardFile ${join(dir, 'scoreboard')}`,
  'WtmpLog off',
  'TransferLog none',
  `SystemLog ${join(dir, 'log')}`,
  `DelayTable none`,
];

const tlsDirectives = ({ key, certificate }: CertificateFiles, dir: string): readonly string[] => [
  'LoadModule mod_tls.c',
  'TLSEngine on',
  'TLSRequired on',
  `TLSLog ${join(dir, 'tls.log')}`,
  `TLSRSACertificateFile ${certificate}`,
  `TLSRSACertificateKeyFile ${key}`,
  'TLSVerifyClient off',
];
