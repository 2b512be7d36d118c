import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAppPassword } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { SFTPWrapper } from 'ssh2';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createRecentEntries } from './files/recent-entries.ts';

/** A link in memory, what its storage was asked, and a client's session. */
async function setUp(t: TestContext) {
  const app = await linkApp(t);
  const port = await app.services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.services.sftp.close());
  await addSftp(app.user, 'NAS');
  app.source.put('/docs/old.txt', 'old');
  const { username, password } = await app.user.ask(createAppPassword, { name: 'x', linkUri: [], rights: 'write' });
  const asked: string[] = [];
  app.source.setGate((operation, path) => void asked.push(`${operation} ${path}`));
  const { default: ssh2 } = await import('ssh2');
  const client = new ssh2.Client();
  client.connect({ host: '127.0.0.1', port, username, password });
  t.after(() => client.end());
  await once(client, 'ready');
  const sftp = await promisify<SFTPWrapper>((done) => client.sftp(done))();
  return {
    asked,
    source: app.source,
    /** Makes a folder in a session of its own. */
    async sibling(path: string): Promise<void> {
      const other = await promisify<SFTPWrapper>((done) => client.sftp(done))();
      await promisify<string, void>(other.mkdir.bind(other))(path);
    },
    /** Stores a file of five bytes in a session of its own. */
    async siblingFile(path: string): Promise<void> {
      const other = await promisify<SFTPWrapper>((done) => client.sftp(done))();
      await promisify<string, string, void>(other.writeFile.bind(other))(path, 'bytes');
    },
    mkdir: promisify<string, void>(sftp.mkdir.bind(sftp)),
    lstat: promisify<string, { size: number; mtime: number }>(sftp.lstat.bind(sftp)),
    open: promisify<string, 'wx' | 'w' | 'a', Buffer>(sftp.open.bind(sftp)),
    write: promisify<Buffer, Buffer, number, number, number, void>(sftp.write.bind(sftp)),
    close: promisify<Buffer, void>(sftp.close.bind(sftp)),
    utimes: promisify<string, number, number, void>(sftp.utimes.bind(sftp)),
    rename: promisify<string, string, void>(sftp.rename.bind(sftp)),
    unlink: promisify<string, void>(sftp.unlink.bind(sftp)),
    names: async (path: string): Promise<string[]> =>
      (await promisify<string, { filename: string }[]>(sftp.readdir.bind(sftp))(path)).map(({ filename }) => filename),
  };
}
const missing = { code: 2 };

test('files that are copied into a folder that the program has made cost the storage one request each', async (t) => {
  const { asked, mkdir, lstat, open, write, close } = await setUp(t);
  await mkdir('/NAS/copy');
  const isListed = async (): Promise<boolean> => {
    asked.length = 0;
    await assert.rejects(lstat('/NAS/copy/none'), missing);
    return asked.length === 0;
  };
  await eventually(isListed, 'the listing of the new folder');
  // As sshfs opens a file, and as OpenSSH's sftp does.
  for (const [name, flags] of [
    ['a', 'wx'],
    ['b', 'w'],
  ] as const) {
    const path = `/NAS/copy/${name}`;
    if (flags === 'wx') await assert.rejects(lstat(path), missing);
    const handle = await open(path, flags);
    await write(handle, Buffer.from('bytes'), 0, 5, 0);
    await close(handle);
    assert.equal((await lstat(path)).size, 5);
  }
  assert.deepEqual(asked, ['write /copy/a', 'write /copy/b']);
});

test('a folder shows a file that was closed right before it is opened, though its storage is slow', async (t) => {
  const { source, mkdir, names, open, write, close } = await setUp(t);
  await mkdir('/NAS/copy');
  const handle = await open('/NAS/copy/photo.jpg', 'w');
  await write(handle, Buffer.from('bytes'), 0, 5, 0);
  source.setGate((operation) => (operation === 'write' ? sleep(300) : undefined));
  // As sshfs: the folder is asked for before the file is known to be closed.
  const closed = close(handle);
  assert.deepEqual(await names('/NAS/copy'), ['photo.jpg']);
  await closed;
});

test('a file that another session stores in such a folder is seen at once', async (t) => {
  const { mkdir, lstat, siblingFile } = await setUp(t);
  await mkdir('/NAS/copy');
  await assert.rejects(lstat('/NAS/copy/theirs'), missing);
  await siblingFile('/NAS/copy/theirs');
  assert.equal((await lstat('/NAS/copy/theirs')).size, 5);
});

test('a file that is copied as sshfs does it is asked for once before it is stored, and not afterwards', async (t) => {
  const { asked, lstat, open, write, close, utimes } = await setUp(t);
  const path = '/NAS/docs/a.txt';
  await assert.rejects(lstat(path), missing);
  const handle = await open(path, 'wx');
  await write(handle, Buffer.from('bytes'), 0, 5, 0);
  await close(handle);
  await utimes(path, 1_600_000_000, 1_600_000_000);
  const { size, mtime } = await lstat(path);
  assert.deepEqual([size, mtime], [5, 1_600_000_000]);
  assert.deepEqual(asked, ['stat /docs/a.txt', 'write /docs/a.txt']);
});

test('what a session changes it sees at once', async (t) => {
  const { lstat, open, write, close, rename, unlink } = await setUp(t);
  await assert.rejects(lstat('/NAS/docs/b.txt'), missing);
  await rename('/NAS/docs/old.txt', '/NAS/docs/b.txt');
  assert.equal((await lstat('/NAS/docs/b.txt')).size, 3);
  await assert.rejects(lstat('/NAS/docs/old.txt'), missing);
  const handle = await open('/NAS/docs/old.txt', 'w');
  await write(handle, Buffer.from('four'), 0, 4, 0);
  await close(handle);
  const more = await open('/NAS/docs/old.txt', 'a');
  await write(more, Buffer.from('!'), 0, 1, 4);
  await close(more);
  assert.equal((await lstat('/NAS/docs/old.txt')).size, 5);
  await unlink('/NAS/docs/old.txt');
  await assert.rejects(lstat('/NAS/docs/old.txt'), missing);
});

test('an answer that nothing is there counts for two seconds, and not if the session has changed something meanwhile', () => {
  let now = 0;
  const recent = createRecentEntries(() => now);
  recent.asking('/a')();
  assert.ok(recent.isMissing('/a') && recent.stored('/a') === undefined);
  now = 2000;
  assert.ok(!recent.isMissing('/a'));
  const late = recent.asking('/b');
  recent.noteStored('/b', { name: 'b', kind: 'file', size: 1 });
  late();
  assert.equal(recent.stored('/b')?.size, 1);
  assert.deepEqual([recent.takeStored('/b')?.size, recent.takeStored('/b'), recent.isMissing('/b')], [1, undefined, false]);
  const later = recent.asking('/c');
  recent.forgetAll();
  later();
  assert.ok(!recent.isMissing('/c'));
});

test('a folder that another session makes is seen at once', async (t) => {
  const { lstat, sibling } = await setUp(t);
  await assert.rejects(lstat('/NAS/docs/new'), missing);
  await sibling('/NAS/docs/new');
  await lstat('/NAS/docs/new');
});
