/** A drive to mount. */
export interface Drive {
  /** An absolute path; on Windows a letter, such as `S:`. */
  readonly folder: string;
  /** The WebDAV address, with a final slash. */
  readonly dav: string;
  /** The SFTP address, if the server offers SFTP with a known host key. */
  readonly sftp?: { readonly host: string; readonly port: number; readonly path: string };
  /** File with the host key, in the format of known_hosts. */
  readonly knownHosts: string;
  readonly username: string;
  readonly password: string;
  readonly isReadOnly: boolean;
}

/** How to mount it: a program and its standard input. The password is only in the input, because other users can see command lines. */
export interface Means {
  readonly command: readonly string[];
  readonly input: string;
  /** Command that unmounts the drive. */
  readonly stop: readonly string[];
}

export const meansNames = ['sshfs', 'davfs2', 'gio', 'mount_webdav', 'windows'] as const;
export type MeansName = (typeof meansNames)[number];

export interface Place {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Whether a program of this name is installed. */
  has(program: string): boolean;
  /** Whether this user may use FUSE. */
  readonly hasFuse: boolean;
}

/** Chooses the best way to mount on this system, for a server with or without SFTP; or returns a sentence about what is missing. */
export function chooseMeans(place: Place, hasSftp: boolean): MeansName | { readonly missing: string } {
  if (place.platform === 'darwin') return 'mount_webdav';
  if (place.platform === 'win32') return 'windows';
  if (place.platform !== 'linux') return { missing: 'This system has no way to make a drive that is known here.' };
  if (hasSftp && place.has('sshfs') && place.hasFuse) return 'sshfs';
  if (place.has('mount.davfs') && place.isRoot && place.hasFuse) return 'davfs2';
  if (place.has('gio')) return 'gio';
  if (!place.hasFuse) return { missing: 'This computer has no FUSE that you may use (/dev/fuse), which drives need.' };
  if (hasSftp) return { missing: 'sshfs is missing. Install it, for instance with: sudo apt install sshfs' };
  const sftp = 'Your Sheaf offers no SFTP (SHEAF_SFTP_PORT), so that sshfs cannot be used.';
  const root = place.has('mount.davfs')
    ? 'davfs2 is there, and only root may use it: run this with sudo'
    : 'Install davfs2 and run this with sudo';
  return { missing: `${sftp} ${root}, or install gio: sudo apt install davfs2, or: sudo apt install gvfs-backends libglib2.0-bin` };
}

export function meansOf(name: MeansName, drive: Drive): Means {
  switch (name) {
    case 'sshfs':
      return sshfs(drive);
    case 'davfs2':
      return davfs(drive);
    case 'gio':
      return gio(drive);
    case 'mount_webdav':
      return webdavOfMac(drive);
    case 'windows':
      return windows(drive);
  }
}

/** sshfs(1). Accepts only the host key in the known_hosts file, which the server named over HTTPS. */
function sshfs({ folder, sftp, knownHosts, username, password, isReadOnly }: Drive): Means {
  const { host, port, path } = sftp ?? { host: '', port: 0, path: '' };
  const options = [
    'password_stdin',
    'reconnect',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=3',
    'StrictHostKeyChecking=yes',
    // A comma would end the option, a space the file name.
    `UserKnownHostsFile="${knownHosts.replaceAll('\\', '\\\\').replaceAll(',', '\\,')}"`,
    'GlobalKnownHostsFile=/dev/null',
    'PubkeyAuthentication=no',
    'NumberOfPasswordPrompts=1',
    ...(isReadOnly ? ['ro'] : []),
  ];
  const where = `${username}@${host.includes(':') ? `[${host}]` : host}:${path}`;
  return {
    // Ignores the configuration of the user, which could redirect the connection.
    command: ['sshfs', '-F', '/dev/null', '-p', String(port), ...options.flatMap((option) => ['-o', option]), where, folder],
    input: `${password}\n`,
    stop: ['fusermount3', '-u', folder],
  };
}

/** mount.davfs(8) asks for name and password if its secrets file has none. */
const davfs = ({ folder, dav, username, password, isReadOnly }: Drive): Means => ({
  command: ['mount.davfs', '-o', isReadOnly ? 'ro' : 'rw', dav, folder],
  input: `${username}\n${password}\n`,
  stop: ['umount', folder],
});

/** Address in the format of gio(1), with the user name. gio chooses its own mount point, so the folder becomes a link to it. */
export function gioAddress({ dav, username }: Pick<Drive, 'dav' | 'username'>): string {
  const { protocol, host, pathname } = new URL(dav);
  return `${protocol === 'https:' ? 'davs' : 'dav'}://${encodeURIComponent(username)}@${host}${pathname}`;
}
const gio = (drive: Drive): Means => ({
  command: ['gio', 'mount', gioAddress(drive)],
  input: `${drive.password}\n`,
  stop: ['gio', 'mount', '-u', gioAddress(drive)],
});

/** Quotes a word for a Tcl script, preventing substitutions. */
const tcl = (text: string): string => `"${text.replaceAll(/[\\"$[\]{}]/g, '\\$&')}"`;

/** mount_webdav(8) reads the password only from a terminal. expect(1), part of macOS, provides one, and reads its script from standard input. */
const webdavOfMac = ({ folder, dav, username, password, isReadOnly }: Drive): Means => ({
  command: ['/usr/bin/expect', '-f', '-'],
  input: `log_user 0
set timeout 60
spawn /sbin/mount_webdav -i${isReadOnly ? ' -o rdonly' : ''} ${tcl(dav)} ${tcl(folder)}
expect -nocase "username:" { send -- ${tcl(`${username}\r`)} }
expect -nocase "password:" { send -- ${tcl(`${password}\r`)} }
expect eof
exit [lindex [wait] 3]
`,
  stop: ['/sbin/umount', folder],
});

/** Quotes a word for PowerShell, preventing substitutions. */
const powershell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Calls the Windows API behind `net use`, because `net use` itself takes the password on the command line. */
function windows({ folder, dav, username, password }: Drive): Means {
  const { protocol, hostname, port, pathname } = new URL(dav);
  const host = `${hostname}${protocol === 'https:' ? '@SSL' : ''}${port === '' ? '' : `@${port}`}`;
  const path = decodeURIComponent(pathname)
    .replace(/^\/|\/$/g, '')
    .replaceAll('/', '\\');
  const words = [folder, `\\\\${host}\\DavWWWRoot\\${path}`].map(powershell).join(', ');
  return {
    command: ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', '-'],
    input: `$ErrorActionPreference = 'Stop'
try { (New-Object -ComObject WScript.Network).MapNetworkDrive(${words}, $false, ${powershell(username)}, ${powershell(password)}); exit 0 } catch { [Console]::Error.WriteLine($_.Exception.Message); exit 1 }
`,
    stop: ['net', 'use', folder, '/delete', '/y'],
  };
}
