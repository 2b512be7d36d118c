/** Debian packages of the real servers and the browser that tests use, and how to install missing ones. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A file in the package → the package. */
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
  '/usr/bin/pg_createcluster': 'postgresql',
  '/usr/sbin/ip': 'iproute2',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/systemd-analyze': 'systemd',
  '/usr/bin/ssh-keygen': 'openssh-client',
  '/usr/bin/unzip': 'unzip',
  '/usr/bin/rclone': 'rclone',
  '/usr/bin/litmus': 'litmus',
  '/usr/bin/cadaver': 'cadaver',
  '/usr/bin/restic': 'restic',
  '/usr/bin/aws': 'awscli',
  '/usr/bin/s3cmd': 's3cmd',
  '/usr/bin/lftp': 'lftp',
  '/usr/bin/duplicity': 'duplicity',
  // Duplicity's way to S3, which its package only suggests.
  '/usr/lib/python3/dist-packages/boto3/__init__.py': 'python3-boto3',
  '/usr/bin/s3fs': 's3fs',
  '/usr/bin/sshfs': 'sshfs',
  '/sbin/mount.davfs': 'davfs2',
};

/** What the walk through three engines needs beside Chromium: two browsers, a screen in memory, and what moves its mouse. */
export const firefox = '/usr/bin/firefox-esr';
export const webkitDriver = '/usr/bin/WebKitWebDriver';
export const xvfb = '/usr/bin/Xvfb';
export const xdotool = '/usr/bin/xdotool';
const engines: Readonly<Record<string, string>> = {
  [firefox]: 'firefox-esr',
  [webkitDriver]: 'webkit2gtk-driver',
  [xvfb]: 'xvfb',
  [xdotool]: 'xdotool',
};

/** The package of a program of the tests, which may be a path; the program's own name for those that no package here brings. */
export function packageOf(program: string): string {
  const name = basename(program);
  return Object.entries({ ...installed, ...engines }).find(([file]) => basename(file) === name)?.[1] ?? name;
}

/** vsftpd and proftpd exclude each other as packages, so vsftpd is only unpacked: this folder then holds `usr/sbin/vsftpd`. */
export const vsftpdFolder = join(import.meta.dirname, '../.cache/vsftpd');
const vsftpdLibraries: Readonly<Record<string, string>> = { '/usr/lib/x86_64-linux-gnu/libwrap.so.0': 'libwrap0' };

const run = (command: string, args: readonly string[], cwd?: string): boolean =>
  spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0;

const missingOf = (table: Readonly<Record<string, string>>): string[] =>
  Object.entries(table).flatMap(([file, name]) => (existsSync(file) ? [] : [name]));

/** The headless browser, which starts and renders faster than the full one; not every release of Debian has it. */
const shell = { file: '/usr/bin/chromium-headless-shell', name: 'chromium-headless-shell' };
const chromium = { file: '/usr/bin/chromium', name: 'chromium' };

/** The browser for tests: SHEAF_CHROMIUM, or the smaller one that is installed. */
export const browserProgram = (): string => process.env['SHEAF_CHROMIUM'] ?? (existsSync(shell.file) ? shell : chromium).file;

/** The browser package to install; undefined when the installed one is good enough. */
function wantedBrowser(): string | undefined {
  if (existsSync(shell.file) || process.env['SHEAF_CHROMIUM'] !== undefined) return undefined;
  if (spawnSync('/usr/bin/apt-cache', ['show', shell.name]).status === 0) return shell.name;
  console.log(`There is no package ${shell.name} here: the browser tests run in ${chromium.name}, which takes longer.`);
  return existsSync(chromium.file) ? undefined : chromium.name;
}

/** Which programs a test step needs: the real servers with Chromium, or also what runs the other engines. */
export type Needs = 'servers' | 'engines';

/** Installs missing packages as root on Debian; elsewhere prints and returns their names. */
export function installMissing(needs: Needs): readonly string[] {
  const programs = needs === 'engines' ? { ...installed, ...engines } : installed;
  const packages = missingOf({ ...programs, ...(process.arch === 'x64' ? vsftpdLibraries : {}) });
  const hasVsftpd = (): boolean => existsSync(join(vsftpdFolder, 'usr/sbin/vsftpd'));
  const missing = (): string[] => [
    ...missingOf(programs),
    ...(existsSync(browserProgram()) ? [] : [chromium.name]),
    ...(hasVsftpd() ? [] : ['vsftpd']),
  ];
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    if (missing().length > 0)
      console.error(
        `These programs are needed by the tests: ${missing().join(' ')}. On Debian run as root, or install them with your own tools.`,
      );
    return missing();
  }
  if (packages.length === 0 && hasVsftpd() && existsSync(shell.file)) return [];
  run('apt-get', ['update', '-qq']);
  const browser = wantedBrowser();
  const wanted = browser === undefined ? packages : [...packages, browser];
  if (wanted.length > 0) {
    console.log(`Installing ${wanted.join(' ')} ...`);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted]);
  }
  if (!hasVsftpd()) unpackVsftpd();
  return missing();
}

function unpackVsftpd(): void {
  mkdirSync(vsftpdFolder, { recursive: true });
  run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', 'vsftpd'], vsftpdFolder);
  run('sh', ['-c', 'dpkg -x vsftpd_*.deb .'], vsftpdFolder);
}
