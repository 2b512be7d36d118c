import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { addSshKey, createAppPassword, familyCalls } from '@sheaf/contract';
import { eventually, run, startOpenssh, tempDir } from '@sheaf/testbed';
import type { ConnectConfig, SFTPWrapper } from 'ssh2';
import { sha } from '#/serving/testing/hashes.ts';
import { testApp } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { createInterruptedUploads } from './files/interrupted.ts';
import type { FileWriter } from './files/writing.ts';

const blockSize = 32 * 1024;
/** Bytes that arrive before a connection breaks. */
const arrived = 40 * blockSize;

/** A client that writes single blocks of a file. */
async function rawClient(account: ConnectConfig) {
  const { default: ssh2 } = await import('ssh2');
  const client = new ssh2.Client();
  client.on('error', () => undefined);
  client.connect({ host: '127.0.0.1', ...account });
  await once(client, 'ready');
  const sftp = await promisify<SFTPWrapper>((done) => client.sftp(done))();
  return {
    client,
    sftp,
    opened: (path: string): Promise<Buffer> => promisify<string, 'w', Buffer>(sftp.open.bind(sftp))(path, 'w'),
    write: (handle: Buffer, bytes: Buffer, at: number): Promise<void> =>
      new Promise((resolve, reject) => {
        sftp.write(handle, bytes, at, Math.min(blockSize, bytes.length - at), at, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** An account with a link to a real server, and OpenSSH's client with a key in a folder. */
async function setUp(t: TestContext) {
  const app = await testApp(t);
  const user = await app.signUp();
  const server = await startOpenssh();
  t.after(() => server.stop());
  const port = await app.services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.services.sftp.close());
  const { host, username: name, password } = server;
  const info = { ...sftpInfo, server: `${host}:${server.port}`, username: name, password, numConcurrentConnections: '5' };
  await user.ask(familyCalls.sftp.add, draftOf(info, { linkName: 'NAS', validateConnection: false }));
  const { path: folder, remove } = await tempDir('sftp-continuing');
  t.after(() => remove());
  const at = (name: string): string => join(folder, name);
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('key')]);
  const publicKey = await readFile(at('key.pub'), 'utf8');
  const { username } = (await user.ask(addSshKey, { name: 'x', publicKey, linkUri: [], rights: 'write' })).appPassword;
  const known = ['-oStrictHostKeyChecking=accept-new', `-oUserKnownHostsFile=${at('known')}`, '-oIdentitiesOnly=yes', '-oBatchMode=yes'];
  const options = ['-oLogLevel=ERROR', ...known, '-i', at('key'), '-P', String(port)];
  return {
    user,
    port,
    at,
    async sftp(...commands: readonly string[]): Promise<string> {
      await writeFile(at('batch'), `${commands.join('\n')}\n`);
      return run('sftp', [...options, '-b', at('batch'), `${username}@127.0.0.1`], { cwd: folder });
    },
    /** Bytes of all files that the storage has, hidden ones among them. */
    async bytesStored(): Promise<number> {
      const entries = await readdir(server.home, { recursive: true, withFileTypes: true });
      const sizes = entries.filter((one) => one.isFile()).map(async (one) => (await stat(join(one.parentPath, one.name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    /** Starts OpenSSH's client as a person does, with a standard input for commands. */
    interactive(...more: readonly string[]) {
      const client = spawn('sftp', [...options, ...more, `${username}@127.0.0.1`], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
      return { client, ended: once(client, 'exit') };
    },
    /** Begins to upload a file in the order of its bytes, and breaks the connection once some have arrived. */
    async cutUpload(file: string): Promise<void> {
      const bytes = await readFile(at(file));
      const { client, write, opened } = await rawClient({ port, username, privateKey: await readFile(at('key')) });
      const handle = await opened(`/NAS/${file}`);
      for (let offset = 0; offset < arrived; offset += blockSize) await write(handle, bytes, offset);
      const closed = once(client, 'close');
      client.destroy();
      await closed;
    },
  };
}
const sizeIn = (listed: string): number => Number(/ (\d+) \w{3} +\d+ /.exec(listed)?.[1] ?? 0);

test("an upload whose connection broke is continued by OpenSSH's reput and put -a, and nobody sees a half file", async (t) => {
  const app = await setUp(t);
  for (const command of ['reput', 'put -a']) {
    const name = `${command.replaceAll(/\W/g, '')}.bin`;
    const bytes = randomBytes(5 * 1024 * 1024 + 17);
    await writeFile(app.at(name), bytes);
    await app.cutUpload(name);
    assert.ok(!(await app.sftp('ls -1 /NAS')).includes(name), 'the file is not stored yet');
    await eventually(async () => sizeIn(await app.sftp(`-ls -l /NAS/${name}`)) === arrived, 'what has arrived is told');
    // Changes bytes that have arrived: the test sees whether they are sent again.
    const file = await open(app.at(name), 'r+');
    await file.write(Buffer.alloc(1000), 0, 1000, 0);
    await file.close();
    await app.sftp(`${command} ${app.at(name)} /NAS/${name}`);
    await app.sftp(`get /NAS/${name} ${app.at('got')}`);
    assert.deepEqual(sha(await readFile(app.at('got'))), sha(bytes));
  }
});

test('an interrupted upload begins anew with put, ends with rm, and one that would replace a file leaves it as it was', async (t) => {
  const app = await setUp(t);
  const bytes = randomBytes(5 * 1024 * 1024);
  await writeFile(app.at('a.bin'), bytes);
  await app.cutUpload('a.bin');
  await eventually(async () => sizeIn(await app.sftp('-ls -l /NAS/a.bin')) === arrived, 'what has arrived is told');
  await app.sftp('rm /NAS/a.bin');
  await assert.rejects(app.sftp(`reput ${app.at('a.bin')} /NAS/a.bin`));
  await app.cutUpload('a.bin');
  await app.sftp(`put ${app.at('a.bin')} /NAS/a.bin`, `get /NAS/a.bin ${app.at('got')}`);
  assert.deepEqual(sha(await readFile(app.at('got'))), sha(bytes));
  // A file that existed before the upload stays.
  await app.cutUpload('a.bin');
  await app.sftp(`get /NAS/a.bin ${app.at('got')}`);
  assert.deepEqual(sha(await readFile(app.at('got'))), sha(bytes));
});

test("OpenSSH's reput continues an upload that Ctrl-C ended, and what is stored already stays as it is", async (t) => {
  const app = await setUp(t);
  const bytes = randomBytes(6 * 1024 * 1024 + 5);
  await writeFile(app.at('b.bin'), bytes);
  // Bits per second of 1000: slow enough to be interrupted.
  const { client, ended } = app.interactive('-l', '8000');
  client.stdin.write('put b.bin /NAS/b.bin\n');
  await eventually(async () => (await app.bytesStored()) > 0, 'the upload has begun');
  client.kill('SIGINT');
  client.stdin.end('quit\n');
  await ended;
  const arrivedSize = sizeIn(await app.sftp('ls -l /NAS/b.bin'));
  assert.ok(arrivedSize > 0 && arrivedSize < bytes.length, `a part is stored: ${arrivedSize}`);
  // Changes bytes that are stored: the test sees whether they are sent again.
  const file = await open(app.at('b.bin'), 'r+');
  await file.write(Buffer.alloc(1000), 0, 1000, 0);
  await file.close();
  await app.sftp('reput b.bin /NAS/b.bin', `get /NAS/b.bin ${app.at('got')}`);
  assert.equal(sha(await readFile(app.at('got'))), sha(bytes));
});

test('a stored file takes bytes behind its end, and nothing else; a connection that breaks meanwhile leaves it as it was', async (t) => {
  const app = await setUp(t);
  const { username, password } = await app.user.ask(createAppPassword, { name: 'x', linkUri: [], rights: 'write' });
  const { client, sftp, write } = await rawClient({ port: app.port, username, password });
  t.after(() => client.end());
  const close = promisify<Buffer, void>(sftp.close.bind(sftp));
  const read = promisify<string, Buffer>(sftp.readFile.bind(sftp));
  const openTo = promisify<string, 'a' | 'r+', Buffer>(sftp.open.bind(sftp));
  const first = randomBytes(300_000);
  await promisify<string, Buffer, void>(sftp.writeFile.bind(sftp))('/NAS/log', first);
  const more = Buffer.concat([first, randomBytes(3 * blockSize)]);
  const offsets = [0, 1, 2].map((index) => first.length + index * blockSize);
  const handle = await openTo('/NAS/log', 'a');
  await Promise.all(offsets.toReversed().map((at) => write(handle, more, at)));
  await close(handle);
  assert.equal(sha(await read('/NAS/log')), sha(more));

  // Opened and closed without a byte, nothing is sent.
  await close(await openTo('/NAS/log', 'r+'));
  const changed = await openTo('/NAS/log', 'r+');
  await assert.rejects(write(changed, Buffer.alloc(10), 0), { code: 8, message: /a part of it cannot be changed/ });
  await close(changed);
  assert.equal(sha(await read('/NAS/log')), sha(more));

  const other = await rawClient({ port: app.port, username, password });
  const broken = await promisify<string, 'a', Buffer>(other.sftp.open.bind(other.sftp))('/NAS/log', 'a');
  await other.write(broken, Buffer.concat([more, randomBytes(blockSize)]), more.length);
  const closed = once(other.client, 'close');
  other.client.destroy();
  await closed;
  assert.equal(sha(await read('/NAS/log')), sha(more));
});

test('writes may arrive in any order within 8 MiB, and those that change written bytes are refused', async (t) => {
  const app = await setUp(t);
  const { username, password } = await app.user.ask(createAppPassword, { name: 'x', linkUri: [], rights: 'write' });
  const { client, sftp, opened, write } = await rawClient({ port: app.port, username, password });
  t.after(() => client.end());
  const bytes = randomBytes(4 * 1024 * 1024);
  const close = promisify<Buffer, void>(sftp.close.bind(sftp));
  const read = promisify<string, Buffer>(sftp.readFile.bind(sftp));
  const handle = await opened('/NAS/order.bin');
  const offsets = Array.from({ length: bytes.length / blockSize }, (_, index) => index * blockSize);
  await Promise.all(offsets.toReversed().map((at) => write(handle, bytes, at)));
  await close(handle);
  assert.deepEqual(sha(await read('/NAS/order.bin')), sha(bytes));

  const changed = await opened('/NAS/changed.bin');
  await write(changed, bytes, 0);
  await assert.rejects(write(changed, bytes, 0), { code: 8 });
  await write(changed, bytes, 2 * blockSize);
  await assert.rejects(close(changed), /Bytes in the middle of the file are missing/);
  await assert.rejects(read('/NAS/changed.bin'), { code: 2 });
});

test('an interrupted upload is given up after a while, and the oldest when too many wait', async () => {
  const given: string[] = [];
  const writerOf = (name: string): FileWriter => ({
    write: () => Promise.resolve(),
    size: () => 1,
    canContinue: () => true,
    interrupt: () => undefined,
    finish: () => Promise.reject(new Error('not stored')),
    abandon: () => void given.push(name),
  });
  const brief = createInterruptedUploads(20);
  brief.of('a').keep('/x', writerOf('x'));
  assert.equal(brief.of('b').size('/x'), undefined, 'another password does not see it');
  assert.equal(brief.of('a').size('/x'), 1);
  await eventually(() => given.length === 1, 'it has been given up');
  assert.equal(brief.of('a').take('/x'), undefined);
  const uploads = createInterruptedUploads();
  for (let index = 0; index < 51; index++) uploads.of('a').keep(`/${index}`, writerOf(String(index)));
  assert.deepEqual(given, ['x', '0']);
  uploads.close();
  assert.equal(given.length, 52);
});
