import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AppPasswordRights, addSshKey, createAppPassword, deleteAppPassword, linkUriOf, listAppPasswords } from '@sheaf/contract';
import { eventually, run, spawnOwned, tempDir } from '@sheaf/testbed';
import type { ParsedKey } from 'ssh2';
import { cannotMount, unmount } from '#/serving/testing/mounts.ts';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

/** An account with a link and a file on it, and a folder with OpenSSH's client in it. */
async function setUp(t: TestContext) {
  const app = await linkApp(t);
  const port = await app.services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.services.sftp.close());
  const { userLinkId } = await addSftp(app.user, 'NAS');
  app.source.put('/docs/open/a.txt', 'a');
  app.source.put('/docs/closed/b.txt', 'b');
  const { path: folder, remove } = await tempDir('sftp-keys');
  t.after(() => remove());
  const at = (name: string): string => join(folder, name);
  const known = ['-oStrictHostKeyChecking=accept-new', `-oUserKnownHostsFile=${at('known')}`, '-oBatchMode=yes'];
  await writeFile(at('put.txt'), 'put');
  return {
    ...app,
    port,
    userLinkId,
    folder,
    at,
    known,
    async makeKey(name: string, ...args: readonly string[]): Promise<string> {
      await run('ssh-keygen', ['-q', '-N', '', ...(args.length === 0 ? ['-t', 'ed25519'] : args), '-f', at(name)]);
      return readFile(at(`${name}.pub`), 'utf8');
    },
    async add(publicKey: string, limits: { linkUri?: string[]; rights?: AppPasswordRights; user?: User } = {}) {
      const { user = app.user, linkUri = [], rights = 'write' } = limits;
      return (await user.ask(addSshKey, { name: 'Laptop', publicKey, linkUri, rights })).appPassword;
    },
    /** Runs commands with a key; a failing one ends them. */
    async sftp(username: string, options: readonly string[], ...commands: readonly string[]): Promise<string> {
      await writeFile(at('batch'), `${commands.join('\n')}\n`);
      const target = `${username}@127.0.0.1`;
      return run(
        'env',
        [`HOME=${folder}`, 'sftp', '-oLogLevel=ERROR', ...known, ...options, '-P', String(port), '-b', at('batch'), target],
        { cwd: folder },
      );
    },
    with: (name: string): readonly string[] => ['-oIdentitiesOnly=yes', '-i', at(name)],
  };
}

/** Signs in with a key whose signature is changed; returns the outcome. */
async function signedBy(port: number, username: string, privateKey: string, change: (signature: Buffer) => Buffer): Promise<string> {
  const { default: ssh2 } = await import('ssh2');
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  class Agent extends ssh2.BaseAgent<ParsedKey> {
    override getIdentities(done: (error: undefined, keys: ParsedKey[]) => void): void {
      done(undefined, [key as ParsedKey]);
    }
    override sign(_: unknown, data: Buffer, options: unknown, done?: (error: undefined, signature: Buffer) => void): void {
      const tell = typeof options === 'function' ? (options as typeof done) : done;
      tell?.(undefined, change((key as ParsedKey).sign(data)));
    }
  }
  const client = new ssh2.Client();
  const outcome = new Promise<string>((resolve) => {
    client.once('ready', () => resolve('ready'));
    client.once('error', (error) => resolve(error.message));
  });
  client.connect({ host: '127.0.0.1', port, username, agent: new Agent() });
  try {
    return await outcome;
  } finally {
    client.end();
  }
}

const kinds: readonly (readonly [string, ...string[]])[] = [
  ['ed25519', '-t', 'ed25519'],
  ['nistp256', '-t', 'ecdsa', '-b', '256'],
  ['nistp384', '-t', 'ecdsa', '-b', '384'],
  ['nistp521', '-t', 'ecdsa', '-b', '521'],
  ['rsa2048', '-t', 'rsa', '-b', '2048'],
  ['rsa4096', '-t', 'rsa', '-b', '4096'],
];

test("keys of each kind sign OpenSSH's client in, RSA never with SHA-1, and their last use is listed", async (t) => {
  const app = await setUp(t);
  for (const [name, ...args] of kinds) {
    const { username, sshKey } = await app.add(await app.makeKey(name, ...args));
    const listed = await run('ssh-keygen', ['-l', '-f', app.at(`${name}.pub`)]);
    assert.equal(sshKey?.fingerprint, listed.split(' ')[1]);
    assert.match(await app.sftp(username, app.with(name), 'put put.txt /NAS/put.txt', 'get /NAS/put.txt got.txt', 'ls -1 /'), /NAS/, name);
    assert.equal(await readFile(app.at('got.txt'), 'utf8'), 'put');
  }
  const rsa = await app.add(await readFile(app.at('rsa4096.pub'), 'utf8'));
  await app.sftp(rsa.username, [...app.with('rsa4096'), '-oPubkeyAcceptedAlgorithms=rsa-sha2-256'], 'ls /');
  await assert.rejects(
    app.sftp(rsa.username, [...app.with('rsa4096'), '-oPubkeyAcceptedAlgorithms=ssh-rsa'], 'ls /'),
    /Permission denied \(publickey,password\)/,
  );
  const { appPasswords } = await app.user.ask(listAppPasswords, {});
  assert.equal(appPasswords.length, kinds.length + 1);
  for (const one of appPasswords) assert.deepEqual([one.accessKeyId, one.lastUsedBy], [undefined, 'SFTP']);
});

test('a wrong signature, a key of somebody else, and a password in its place are refused with the same answers', async (t) => {
  const app = await setUp(t);
  const stranger = await app.signUp();
  const { username } = await app.add(await app.makeKey('own'));
  const other = await app.add(await app.makeKey('other'), { user: stranger });
  await app.sftp(other.username, app.with('other'), 'ls /');
  const told = async (name: string, key: string): Promise<string> => {
    const line = ['-v', ...app.known, ...app.with(key), '-p', String(app.port), '-s', `${name}@127.0.0.1`, 'sftp'];
    const failure = await run('env', [`HOME=${app.folder}`, 'ssh', ...line]).then(
      () => 'signed in',
      (error: Error) => error.message,
    );
    // What the client reports of the server's answers about keys.
    const lines = failure.split('\n').filter((one) => /Server accepts key|Authentications that can continue|Permission denied/.test(one));
    return lines.join('\n').replaceAll(/SHA256:\S+|\S+@127\S+|\/\S+/g, '');
  };
  const unknown = await told('nobody-aaaaaa', 'other');
  assert.match(unknown, /Server accepts key/);
  assert.match(unknown, /Permission denied \(publickey,password\)/);
  assert.equal(await told(username, 'other'), unknown);
  // The public key of one pair and the private key of another: an attacker knows public keys only.
  await writeFile(app.at('stolen'), await readFile(app.at('other')));
  await chmod(app.at('stolen'), 0o600);
  await writeFile(app.at('stolen.pub'), await readFile(app.at('own.pub')));
  assert.match(await told(username, 'stolen'), /Permission denied/);
  await app.services.appPasswords.signIn(username, '', { address: '192.0.2.1', usedBy: 'test' }).then(
    () => assert.fail('an empty password has signed in'),
    () => undefined,
  );
  const own = await readFile(app.at('own'), 'utf8');
  assert.equal(await signedBy(app.port, username, own, (signature) => signature), 'ready');
  const changed = (signature: Buffer): Buffer => Buffer.from(signature.map((byte, index) => (index === 5 ? byte ^ 1 : byte)));
  for (const wrong of [changed, () => Buffer.alloc(64), () => Buffer.alloc(1)])
    assert.match(await signedBy(app.port, username, own, wrong), /authentication methods failed/);
});

test('an agent with many keys signs in with the right one, and its others lock nobody out', async (t) => {
  const app = await setUp(t);
  const agent = spawnOwned('ssh-agent', ['-D', '-a', app.at('agent')], { stdio: 'ignore' });
  t.after(async () => {
    const gone = once(agent, 'exit');
    agent.kill();
    await gone;
  });
  await eventually(async () => (await stat(app.at('agent')).catch(() => undefined)) !== undefined, 'the agent listens');
  const names = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  const lines = await Promise.all(names.map((name) => app.makeKey(name)));
  await run('env', [`SSH_AUTH_SOCK=${app.at('agent')}`, 'ssh-add', '-q', ...names.map(app.at)]);
  const { username } = await app.add(lines.at(-1) ?? '');
  const agentOf = [`-oIdentityAgent=${app.at('agent')}`];
  for (let times = 0; times < 2; times++) assert.match(await app.sftp(username, agentOf, 'ls -1 /'), /NAS/);
  const elsewhere = await app.add(await app.makeKey('not-in-the-agent'));
  for (let times = 0; times < 12; times++) await assert.rejects(app.sftp(elsewhere.username, agentOf, 'ls -1 /'));
  await app.sftp(elsewhere.username, app.with('not-in-the-agent'), 'ls -1 /');
  const { username: name, password } = await app.user.ask(createAppPassword, { name: 'x', linkUri: [], rights: 'read' });
  await app.services.appPasswords.signIn(name, password, { address: '127.0.0.1', usedBy: 'test' });
});

test('a key reads where it may only read, sees its folder only, and ends running sessions when it is revoked', async (t) => {
  const app = await setUp(t);
  const line = await app.makeKey('key');
  const reader = await app.add(line, { rights: 'read' });
  await app.sftp(reader.username, app.with('key'), 'get /NAS/docs/open/a.txt a.txt');
  for (const command of ['put put.txt /NAS/x.txt', 'rm /NAS/docs/open/a.txt', 'mkdir /NAS/x', 'rename /NAS/docs /NAS/d'])
    await assert.rejects(app.sftp(reader.username, app.with('key'), command), command);
  // The same key once more, with other rights: the user name decides.
  const limited = await app.add(line, { linkUri: [linkUriOf(app.userLinkId, '/docs/open')] });
  assert.notEqual(limited.username, reader.username);
  assert.deepEqual((await app.sftp(limited.username, app.with('key'), 'ls -1 /NAS/docs')).trim().split('\n').at(-1), '/NAS/docs/open');
  await app.sftp(limited.username, app.with('key'), 'put put.txt /NAS/docs/open/x.txt');
  for (const command of ['get /NAS/docs/closed/b.txt', 'put put.txt /NAS/docs/closed/c.txt', 'ls /NAS/docs/closed'])
    await assert.rejects(app.sftp(limited.username, app.with('key'), command), command);

  const options = [...app.known, ...app.with('key'), '-p', String(app.port), '-s', `${limited.username}@127.0.0.1`, 'sftp'];
  const session = spawn('ssh', options, { cwd: app.folder, stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => session.kill());
  const ended = once(session, 'exit', { signal: AbortSignal.timeout(20_000) });
  // The packet that opens a session of SFTP 3.
  session.stdin.write(Buffer.of(0, 0, 0, 5, 1, 0, 0, 0, 3));
  await once(session.stdout, 'data');
  await app.user.ask(deleteAppPassword, { appPasswordId: limited.appPasswordId });
  await ended;
  await assert.rejects(app.sftp(limited.username, app.with('key'), 'ls /'));
  await app.sftp(reader.username, app.with('key'), 'ls /');
  await app.services.appPasswords.revokeAll(app.user.userId);
  await assert.rejects(app.sftp(reader.username, app.with('key'), 'ls /'));
});

test('rclone and lftp sign in with a key', async (t) => {
  const app = await setUp(t);
  const { username } = await app.add(await app.makeKey('key', '-t', 'rsa', '-b', '3072'));
  const remote = ['HOST=127.0.0.1', `PORT=${app.port}`, `USER=${username}`, `KEY_FILE=${app.at('key')}`, 'SHELL_TYPE=none', 'TYPE=sftp'];
  const settings = remote.map((one) => `RCLONE_CONFIG_SHEAF_${one}`);
  await run('env', [`HOME=${app.folder}`, ...settings, 'rclone', '--retries', '1', 'copy', 'sheaf:/NAS/docs', app.at('rclone')]);
  assert.equal(await readFile(app.at('rclone/closed/b.txt'), 'utf8'), 'b');
  const ssh = `ssh -a -x ${[...app.known, ...app.with('key')].join(' ')}`;
  const script = `set sftp:connect-program "${ssh}"; set net:max-retries 1; open -u ${username}, sftp://127.0.0.1:${app.port}; get /NAS/docs/open/a.txt -o ${app.at('lftp.txt')}`;
  await run('env', [`HOME=${app.folder}`, 'lftp', '-c', script]);
  assert.equal(await readFile(app.at('lftp.txt'), 'utf8'), 'a');
});

test('sshfs signs in with a key', { skip: (await cannotMount()) ?? false }, async (t) => {
  const app = await setUp(t);
  const { username } = await app.add(await app.makeKey('key'));
  await mkdir(app.at('mount'));
  const options = ['-p', String(app.port), ...app.known, `-oIdentityFile=${app.at('key')}`, '-oIdentitiesOnly=yes'];
  await run('env', [`HOME=${app.folder}`, 'sshfs', ...options, `${username}@127.0.0.1:/NAS/docs`, app.at('mount')]);
  try {
    assert.equal(await readFile(app.at('mount/open/a.txt'), 'utf8'), 'a');
  } finally {
    await unmount(app.at('mount'));
  }
});
