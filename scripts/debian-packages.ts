/** Which Debian packages the tests' real servers and browser come from, and how to get the missing ones. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file that the package brings → the package. */
const installed: Readonly<Record<string, string>> = {
  '/usr/sbin/sshd': 'openssh-server',
  '/usr/sbin/proftpd': 'proftpd-core',
  '/usr/lib/proftpd/mod_tls.so': 'proftpd-mod-crypto',
  '/usr/sbin/apache2': 'apache2',
  '/usr/sbin/nginx': 'nginx',
  '/usr/lib/nginx/modules/ngx_http_dav_ext_module.so': 'libnginx-mod-http-dav-ext',
  '/usr/bin/swift-proxy-server': 'swift-proxy',
  '/usr/bin/swift-account-server': 'swift-account',
  '/usr/bin/swift-container-server': 'swift-container',
  '/usr/bin/swift-object-server': 'swift-object',
  '/usr/bin/memcached': 'memcached',
  '/usr/bin/chromium': 'chromium',
  '/usr/bin/pg_createcluster': 'postgresql',
  '/usr/sbin/ip': 'iproute2',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/ssh-keygen': 'openssh-client',
  '/usr/bin/unzip': 'unzip',
};

/** vsftpd and proftpd exclude each other as packages, so vsftpd is only unpacked: this folder then holds `usr/sbin/vsftpd`. */
export const vsftpdFolder = join(import.meta.dirname, '../.cache/vsftpd');
const vsftpdLibraries: Readonly<Record<string, string>> = { '/usr/lib/x86_64-linux-gnu/libwrap.so.0': 'libwrap0' };

const run = (command: string, args: readonly string[], cwd?: string): boolean =>
  spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0;

const missingOf = (table: Readonly<Record<string, string>>): string[] =>
  Object.entries(table).flatMap(([file, name]) => (existsSync(file) ? [] : [name]));

/** Installs what is missing, as root on Debian; elsewhere says what to install and gives the names. */
export function installMissing(): readonly string[] {
  const wanted = missingOf({ ...installed, ...(process.arch === 'x64' ? vsftpdLibraries : {}) });
  const needsVsftpd = !existsSync(join(vsftpdFolder, 'usr/sbin/vsftpd'));
  if (wanted.length === 0 && !needsVsftpd) return [];
  const missing = [...wanted, ...(needsVsftpd ? ['vsftpd'] : [])];
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `These programs are needed by the tests: ${missing.join(' ')}. On Debian run as root, or install them with your own tools.`,
    );
    return missing;
  }
  console.log(`Installing ${missing.join(' ')} ...`);
  run('apt-get', ['update', '-qq']);
  if (wanted.length > 0) run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted]);
  if (needsVsftpd) unpackVsftpd();
  return [...missingOf(installed), ...(existsSync(join(vsftpdFolder, 'usr/sbin/vsftpd')) ? [] : ['vsftpd'])];
}

function unpackVsftpd(): void {
  mkdirSync(vsftpdFolder, { recursive: true });
  run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', 'vsftpd'], vsftpdFolder);
  run('sh', ['-c', 'dpkg -x vsftpd_*.deb .'], vsftpdFolder);
}
