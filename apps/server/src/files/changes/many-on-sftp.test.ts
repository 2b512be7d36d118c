import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deleteObject, familyCalls, linkUriOf, undoChange } from '@sheaf/contract';
import { run, startOpenssh, startProxy } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { inParallel } from './undoing.ts';

/** `SHEAF_TEST_DELETED=10000` measures what is promised for 10,000 items. */
const count = Number(process.env['SHEAF_TEST_DELETED'] ?? 300);
const bytesOfFile = 20_000;
/** Requests and answers for one item that is moved back. */
const bytesOfUndo = 700;

test('a deletion of many items on SFTP is undone without their bytes, and rclone lists what it listed before', async (t) => {
  const ssh = await startOpenssh();
  t.after(() => ssh.stop());
  const proxy = await startProxy({ target: ssh });
  t.after(() => proxy.stop());
  const folder = join(ssh.home, 'photos');
  await mkdir(join(folder, 'whole', 'deep'), { recursive: true });
  const names = Array.from({ length: count }, (_, index) => `photo ${index}.jpg`);
  const bytes = Buffer.alloc(bytesOfFile, 'x');
  await inParallel(names, 16, (name) => writeFile(join(folder, name), bytes));
  await inParallel(names, 16, (name) => writeFile(join(folder, 'whole', 'deep', name), bytes));
  await run('chown', ['-R', ssh.username, folder]);
  const hidden = ['--exclude', '/.sheaf-bin/**'];
  /** All paths, and size and time of each file: folders have the time of their last change. */
  const listed = async (): Promise<readonly string[]> =>
    (
      await Promise.all([
        run('rclone', ['lsf', '-R', ...hidden, ssh.home]),
        run('rclone', ['lsf', '-R', '--files-only', '--format', 'pst', ...hidden, ssh.home]),
      ])
    ).flatMap((text) => text.split('\n').toSorted());
  const before = await listed();

  const user = await (await testApp(t)).signUp();
  const info = { ...sftpInfo, server: `127.0.0.1:${proxy.port}`, username: ssh.username, password: ssh.password };
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(info, { serverName: 'NAS' }));
  const undoId = 'many-at-once';
  const begun = performance.now();
  await inParallel([...names, 'whole'], 8, async (name) => {
    await user.ask(deleteObject, { linkUri: linkUriOf(userLinkId, `/photos/${name}`), undoId });
  });
  const deleted = performance.now();
  assert.deepEqual((await listed()).filter(Boolean), ['photos/']);

  const [up, down] = [proxy.bytesUp(), proxy.bytesDown()];
  const from = performance.now();
  const cpu = process.cpuUsage();
  assert.deepEqual(await user.ask(undoChange, { undoId }), { undone: count + 1, refused: [], refusedTotal: 0 });
  const seconds = (performance.now() - from) / 1000;
  const { user: inUser, system } = process.cpuUsage(cpu);
  t.diagnostic(`${((inUser + system) / 1000 / (count + 1)).toFixed(2)} ms of processor time for each, with the proxy between`);
  const moved = proxy.bytesUp() - up + proxy.bytesDown() - down;
  t.diagnostic(`${count} deleted in ${((deleted - begun) / 1000).toFixed(1)} s, undone in ${seconds.toFixed(1)} s with ${moved} bytes`);
  assert.deepEqual(await listed(), before);
  assert.ok(moved < count * bytesOfUndo + 100_000, `${moved} bytes for ${count} files of ${bytesOfFile}`);
  assert.ok(seconds < Math.max(20, (60 * count) / 10_000), `${seconds} s`);
});
