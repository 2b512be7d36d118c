import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, run, startProcess, tempDir } from '../process.ts';
import { own } from '../reaper.ts';

interface Options {
  /** Public keys authorized for the account, in OpenSSH's one-line format. */
  readonly authorizedKeys?: readonly string[];
  /** How a password is accepted: by the method of that name, by keyboard-interactive, or not at all. */
  readonly passwordLogin?: 'password' | 'keyboard-interactive' | 'none';
  /** The server's private key; by default a new ed25519 key. */
  readonly hostKey?: string;
  /** Additional private host keys of other types. */
  readonly moreHostKeys?: readonly string[];
  readonly port?: number;
  readonly ciphers?: string;
  /** Maximum channels per connection; sshd's default is 10. */
  readonly maxSessions?: number;
  /** Makes the server read-only. */
  readonly readOnly?: boolean;
  /** What runs in place of any command that is asked for, such as `internal-sftp`. */
  readonly forcedCommand?: string;
  /** Requests that the SFTP server treats as unsupported, such as an extension's name. */
  readonly deniedRequests?: readonly string[];
}

export interface OpensshServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** The account's home, where a session begins. */
  readonly home: string;
  /** sshd's log, including each session start. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts sshd with a temporary account. Requires root, like every sshd that accepts other users. */
export async function startOpenssh(options: Options = {}): Promise<OpensshServer> {
  const folder = await tempDir('openssh');
  const home = join(folder.path, 'home');
  const port = options.port ?? (await freePort());
  const username = `sheaf${randomBytes(4).toString('hex')}`;
  const password = randomBytes(9).toString('base64url');
  await chmod(folder.path, 0o755);
  await mkdir(home);
  await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const hostKeys = [options.hostKey ?? (await makeSshKey()).privateKey, ...(options.moreHostKeys ?? [])];
  await Promise.all(hostKeys.map((key, index) => writeFile(join(folder.path, `host_key_${index}`), key, { mode: 0o600 })));
  await writeFile(join(folder.path, 'authorized_keys'), (options.authorizedKeys ?? []).join('\n'), { mode: 0o644 });
  const config = join(folder.path, 'sshd_config');
  await writeFile(config, sshdConfig(options, { folder: folder.path, port, username, hostKeys: hostKeys.length }));
  const disown = own('account', username);
  await run('useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/sh', username]);
  const removeAccount = async () => {
    await run('userdel', ['--force', username]);
    disown();
  };
  try {
    await setPassword(username, password);
    await run('chown', [username, home]);
    const server = await startProcess({
      command: '/usr/sbin/sshd',
      args: ['-D', '-e', '-f', config, ...(await lenience(config))],
      ready: port,
      debianPackage: 'openssh-server',
    });
    return {
      host: '127.0.0.1',
      port,
      username,
      password,
      home,
      output: () => server.output(),
      async stop() {
        await server.stop();
        await removeAccount();
        await folder.remove();
      },
    };
  } catch (error) {
    await removeAccount();
    await folder.remove();
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly username: string;
  readonly hostKeys: number;
}

/** See sshd_config(5). */
function sshdConfig(options: Options, { folder, port, username, hostKeys }: Place): string {
  const { passwordLogin = 'password', ciphers, maxSessions, readOnly, forcedCommand, deniedRequests = [] } = options;
  const yes = (condition: boolean) => (condition ? 'yes' : 'no');
  const flags = [...(readOnly ? ['-R'] : []), ...(deniedRequests.length > 0 ? ['-P', deniedRequests.join(',')] : [])];
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...Array.from({ length: hostKeys }, (_key, index) => `HostKey ${join(folder, `host_key_${index}`)}`),
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    `AllowUsers ${username}`,
    'PidFile none',
    'StrictModes no',
    'UseDNS no',
    'LogLevel VERBOSE',
    'MaxStartups 100',
    `UsePAM ${yes(passwordLogin === 'keyboard-interactive')}`,
    `PasswordAuthentication ${yes(passwordLogin === 'password')}`,
    `KbdInteractiveAuthentication ${yes(passwordLogin === 'keyboard-interactive')}`,
    `Subsystem sftp internal-sftp ${flags.join(' ')}`,
    ...(forcedCommand ? [`ForceCommand ${forcedCommand}`] : []),
    ...(ciphers ? [`Ciphers ${ciphers}`] : []),
    ...(maxSessions ? [`MaxSessions ${maxSessions}`] : []),
    '',
  ].join('\n');
}

/** Disables per-source penalties: tests fail to log in on purpose, all from one address. Versions before 9.8 do not know the option. */
async function lenience(config: string): Promise<readonly string[]> {
  const option = ['-o', 'PerSourcePenalties=no'];
  const known = await run('/usr/sbin/sshd', ['-t', '-f', config, ...option]).then(
    () => true,
    () => false,
  );
  return known ? option : [];
}

/** The password is passed through a pipe, so that it does not appear in process lists. */
async function setPassword(username: string, password: string): Promise<void> {
  const chpasswd = spawn('/usr/sbin/chpasswd', { stdio: ['pipe', 'ignore', 'inherit'] });
  chpasswd.stdin.end(`${username}:${password}\n`);
  const [code] = await once(chpasswd, 'exit');
  if (code !== 0) throw new Error(`chpasswd ended with ${String(code)}`);
}

interface KeyOptions {
  readonly type?: 'ed25519' | 'rsa' | 'ecdsa';
  readonly passphrase?: string;
  /** OpenSSH's format by default. */
  readonly format?: 'RFC4716' | 'PEM';
}

/** Creates a key pair with ssh-keygen. */
export async function makeSshKey({ type = 'ed25519', passphrase = '', format = 'RFC4716' }: KeyOptions = {}): Promise<{
  readonly privateKey: string;
  readonly publicKey: string;
}> {
  const folder = await tempDir('ssh-key');
  const path = join(folder.path, 'key');
  const size = type === 'rsa' ? ['-b', '2048'] : [];
  await run('ssh-keygen', ['-q', '-t', type, ...size, '-m', format, '-N', passphrase, '-C', 'test', '-f', path]);
  const [privateKey, publicKey] = await Promise.all([readFile(path, 'utf8'), readFile(`${path}.pub`, 'utf8')]);
  await folder.remove();
  return { privateKey, publicKey: publicKey.trim() };
}
