import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createAppPassword } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createAccountRooms } from './account-rooms.ts';

/** Connections of one account to its link "nas". */
async function connections(t: TestContext) {
  const app = await linkApp(t);
  await addSftp(app.user, 'nas', { numConcurrentConnections: '10' });
  const { username, password } = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const port = await app.services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.services.sftp.close());
  const open = async () => {
    const client = new ssh2.Client();
    client.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject);
      client.connect({ host: '127.0.0.1', port, username, password });
    });
    client.setNoDelay(true);
    t.after(() => client.destroy());
    const sftp = async (): Promise<SFTPWrapper> => promisify(client.sftp.bind(client))();
    return { sftp, end: () => client.destroy() };
  };
  return { ...app, open };
}
const opened = (sftp: SFTPWrapper, name: string, flags: 'r' | 'w'): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sftp.open(`/nas/${name}`, flags, (error, handle) => (error ? reject(error) : resolve(handle)));
  });
const closed = (sftp: SFTPWrapper, handle: Buffer): Promise<unknown> =>
  promisify(sftp.close.bind(sftp))(handle).catch((error: unknown) => error);

test('bytes that arrive out of order take a bounded amount of memory, however many files are open', async (t) => {
  const { open } = await connections(t);
  const { sftp } = await open();
  const session = await sftp();
  const bytes = Buffer.alloc(512 * 1024);
  const write = (handle: Buffer, at: number) =>
    new Promise<boolean>((resolve) => {
      session.write(handle, bytes, 0, bytes.length, at, (error) => resolve(!error));
    });
  const handles: Buffer[] = [];
  let kept = 0;
  for (let file = 0; file < 20; file++) {
    const handle = await opened(session, `${file}.bin`, 'w');
    handles.push(handle);
    for (let at = 0; at < 15; at++) if (await write(handle, 1 + at * bytes.length)) kept += bytes.length;
  }
  assert.ok(kept > 60 * 1024 * 1024 && kept <= 64 * 1024 * 1024, String(kept));
  for (const handle of handles) await closed(session, handle);
  const again = await opened(session, 'again.bin', 'w');
  assert.equal(await write(again, 1), true);
});

test('an account has a bounded number of files open in all its connections, and those of a lost connection no longer count', async (t) => {
  const { open, source } = await connections(t);
  source.put('/a.txt', 'hello');
  const all = [await open(), await open(), await open()];
  const openMany = async (sftp: SFTPWrapper, count: number): Promise<number> => {
    let done = 0;
    for (let index = 0; index < count; index++)
      done += await opened(sftp, 'a.txt', 'r').then(
        () => 1,
        () => 0,
      );
    return done;
  };
  const sessions = [];
  for (const one of all) sessions.push(await one.sftp());
  const [first, second, third] = sessions;
  assert.ok(first && second && third);
  assert.deepEqual([await openMany(first, 110), await openMany(second, 110), await openMany(third, 110)], [100, 100, 56]);
  all[0]?.end();
  await eventually(async () => (await openMany(third, 1)) === 1, 'room for another file');
});

test('released room can be taken again', () => {
  const room = createAccountRooms({ channels: 1, files: 2, bytes: 10 });
  const [one, same, other] = [room('one'), room('one'), room('other')];
  assert.deepEqual([one.take('files'), same.take('files'), one.take('files'), other.take('files')], [true, true, false, true]);
  assert.deepEqual([one.take('bytes', 6), same.take('bytes', 5), same.take('bytes', 4)], [true, false, true]);
  one.give('bytes', 10);
  same.give('files', 2);
  assert.deepEqual([one.take('bytes', 10), same.take('files')], [true, true]);
});
