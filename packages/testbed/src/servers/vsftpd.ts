import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateFiles } from '../certificates.ts';
import { freePort, run, startProcess, tempDir } from '../process.ts';
import { own } from '../reaper.ts';
import { type FtpServer, ftpPassword } from './ftp-server.ts';

interface Options {
  /** Present: explicit TLS with this certificate is required for logins and data; data connections must resume the control connection's session. */
  readonly tls?: CertificateFiles;
  readonly extra?: readonly string[];
}

/** Starts vsftpd, which has no MLSD: listings are the long lines of LIST. It authenticates system users: creates one, and deletes it at the end. */
export async function startVsftpd({ tls, extra = [] }: Options = {}): Promise<FtpServer> {
  const dir = await tempDir('vsftpd');
  await chmod(dir.path, 0o755);
  const user = `sheaf${Math.random().toString(36).slice(2, 10)}`;
  const home = join(dir.path, 'home');
  const empty = join(dir.path, 'empty');
  await Promise.all([mkdir(home), mkdir(empty)]);
  const hash = (await run('openssl', ['passwd', '-6', ftpPassword])).trim();
  const disown = own('account', user);
  await run('useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/sh', '--password', hash, user]);
  const [uid, gid] = (await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, user])))).map(Number);
  await chown(home, uid ?? 0, gid ?? 0);
  const port = await freePort();
  const config = join(dir.path, 'vsftpd.conf');
  await writeFile(config, [...settings({ empty, port }), ...(tls ? tlsSettings(tls) : []), ...extra, ''].join('\n'));
  const removeAll = async () => {
    // Its last sessions may still be ending.
    await run('userdel', ['--force', user]);
    disown();
    await dir.remove();
  };
  try {
    const server = await startProcess({ command: 'vsftpd', args: [config], ready: port, debianPackage: 'vsftpd' });
    return {
      host: '127.0.0.1',
      port,
      user,
      password: ftpPassword,
      home,
      async stop() {
        await server.stop();
        await removeAll();
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

const settings = ({ empty, port }: { empty: string; port: number }): readonly string[] => [
  'listen=YES',
  'background=NO',
  'listen_address=127.0.0.1',
  `listen_port=${port}`,
  // Outside the range of `freePort`, so that it cannot take a port reserved for another server.
  'pasv_min_port=33000',
  'pasv_max_port=60000',
  'anonymous_enable=NO',
  'local_enable=YES',
  'write_enable=YES',
  'chroot_local_user=YES',
  'allow_writeable_chroot=YES',
  `secure_chroot_dir=${empty}`,
  'pam_service_name=login',
  'check_shell=NO',
  'use_localtime=NO',
  'utf8_filesystem=YES',
  'seccomp_sandbox=NO',
  'mdtm_write=YES',
  'xferlog_enable=NO',
  'delay_failed_login=0',
];

const tlsSettings = ({ key, certificate }: CertificateFiles): readonly string[] => [
  'ssl_enable=YES',
  `rsa_cert_file=${certificate}`,
  `rsa_private_key_file=${key}`,
  'require_ssl_reuse=YES',
  'force_local_logins_ssl=YES',
  'force_local_data_ssl=YES',
  'ssl_ciphers=HIGH',
];
