import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addSshKey } from '@sheaf/contract';
import { run } from '@sheaf/testbed';
import { hashesBelow } from '#/serving/testing/hashes.ts';
import { cannotMount, unmount } from '#/serving/testing/mounts.ts';
import { opensshOf } from './testing/mounting.ts';
import { type Served, serve } from './testing/served.ts';

const pages = join(import.meta.dirname, '../../../../../docs/clients');

/** Programs with a page whose commands run here. */
const clients: Readonly<Record<string, { readonly mounts?: true }>> = {
  rclone: {},
  restic: {},
  duplicity: {},
  aws: {},
  s3cmd: {},
  s3fs: { mounts: true },
  davfs2: { mounts: true },
  sshfs: { mounts: true },
  cadaver: {},
  lftp: {},
  sftp: {},
};

/** The commands of a page, by the headings that they stand under. */
function commandsOf(page: string): Map<string, string> {
  const found = new Map<string, string>();
  let heading = '';
  for (const [, title, commands] of page.matchAll(/^## (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    heading = title ?? heading;
    if (commands !== undefined) found.set(heading, (found.get(heading) ?? '') + commands);
  }
  return found;
}

/** The commands with the addresses and names of the test in place of the examples. */
function adapted(commands: string, one: Served, username: string): string {
  const host = new URL(one.url).host;
  return commands
    .replaceAll('https://your.sheaf.example', one.url)
    .replaceAll(/--(host|host-bucket)=your\.sheaf\.example/g, `--$1=${host}`)
    .replaceAll('your.sheaf.example', '127.0.0.1')
    .replaceAll('2222', String(one.port))
    .replaceAll('mara-7f2kcd', username)
    .replaceAll('KEY-ID', one.accessKeyId)
    .replaceAll(/\/mnt\b/g, join(one.home, 'mnt'));
}

/**
 * A home with documents, and programs before those of the system that do what a person does: trust the host's key, be root, answer questions. The shell
 * itself asks for secrets with `read`.
 */
async function prepare(one: Served): Promise<Record<string, string>> {
  const { home } = one;
  for (const folder of ['Documents', 'bin', '.ssh', 'mnt']) await mkdir(join(home, folder));
  await writeFile(join(home, 'Documents/letter.txt'), 'Dear Mara');
  await writeFile(join(home, 'Documents/photo.jpg'), Buffer.alloc(3 * 1024 * 1024, 'photo'));
  await writeFile(join(home, '.s3cfg'), '[default]\nuse_https = False\n');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, '.ssh/id_ed25519')]);
  const { env, options } = await opensshOf(one);
  const answered = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const openssh = (command: string): string => `${answered.join(' ')} exec ${command} ${options.join(' ')} "$@"`;
  const shims = {
    sftp: openssh('/usr/bin/sftp'),
    sshfs: openssh('/usr/bin/sshfs'),
    aws: 'exec /usr/bin/aws "$@"',
    // davfs2 asks for both when it mounts.
    sudo: `[ "$1" = mount ] && { printf '%s\\n' ${one.username} ${one.password} | "$@"; exit; }\nexec "$@"`,
    // It asks on a terminal whether to enter a password, and for it twice; Enter answers its other questions.
    rclone: `[ "$2" = create ] || exec /usr/bin/rclone "$@"\nprintf '%s\\n' y ${one.password} ${one.password} ${"'' ".repeat(80)}| script -qec "/usr/bin/rclone $*" /dev/null`,
  };
  for (const [name, line] of Object.entries(shims)) {
    await writeFile(join(home, 'bin', name), `#!/bin/sh\n${line}\n`);
    await chmod(join(home, 'bin', name), 0o700);
  }
  const path = `${join(home, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin`;
  return { HOME: home, PATH: path, LANG: 'C.UTF-8', RESTIC_PASSWORD: 'secret', AWS_EC2_METADATA_DISABLED: 'true' };
}

async function runScript(script: string, input: string, env: Record<string, string>): Promise<void> {
  const { HOME: cwd } = env;
  const shell = spawn('bash', ['--norc', '-eu', '-c', script], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  // A program that asks nothing may end before its answers are written.
  shell.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(shell, 'close')) as [number | null];
  assert.equal(code, 0, `${script}\n${output}`);
}

/** Names and hashes of the files in a folder and below, whatever folders they are in. */
const filesBelow = async (folder: string): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(await hashesBelow(folder)).map(([path, hash]) => [basename(path), hash]));

async function walk(t: TestContext, name: string): Promise<void> {
  const one = await serve(t, 'files', { files: 0, large: 0 });
  const env = await prepare(one);
  const documents = await filesBelow(join(one.home, 'Documents'));
  const publicKey = await readFile(join(one.home, '.ssh/id_ed25519.pub'), 'utf8');
  const { appPassword } = await one.user.ask(addSshKey, { name: 'Key', publicKey, linkUri: [], rights: 'write' });
  const sections = commandsOf(await readFile(join(pages, `${name}.md`), 'utf8'));
  assert.ok(sections.size > 0, 'the page has commands');
  for (const [heading, commands] of sections) {
    const username = heading.includes('SSH key') ? appPassword.username : one.username;
    const secret = /read -rs \w*SECRET/.test(commands) ? one.secretAccessKey : one.password;
    try {
      await runScript(adapted(commands, one, username), `${secret}\n`, env);
    } finally {
      for (const folder of ['mnt', 'sheaf']) await unmount(join(one.home, folder)).catch(() => undefined);
    }
    assert.deepEqual(await filesBelow(join(one.home, 'Restored')), documents, heading);
    await rm(join(one.home, 'Restored'), { recursive: true });
  }
}

const reason = await cannotMount();
for (const [name, { mounts }] of Object.entries(clients))
  test(`the commands of the page of ${name} carry files there and back`, { skip: (mounts && reason) ?? false }, (t) => walk(t, name));
