import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { familyCalls, moveSandboxClock, products } from '@sheaf/contract';
import { startFileServer } from '@sheaf/testbed';
import { setting } from '#/testing/setting.ts';

test('a job keeps its folder when its link is renamed, even if another link takes the old name', async (t) => {
  const { sheaf, source, local, put, ask } = await setting(t);
  await put(local, { 'Laptop/a.txt': 'a' });
  await mkdir(join(source, 'Copy'));
  for (const command of ['backup', 'sync']) assert.equal((await sheaf(command, '--to', 'Attic/Copy', join(local, 'Laptop'))).code, 0);
  const [attic] = JSON.parse(`[${(await sheaf('links', '--json')).out}]`) as [{ linkUri: string }[]];
  await ask(familyCalls.ofs.update, { userLinkId: attic[0]?.linkUri.slice(1) ?? '', linkName: 'Loft' });
  const other = await startFileServer({ keys: false });
  t.after(() => other.stop());
  const connectionInfo = JSON.stringify({ server: other.url, username: other.user, password: other.password });
  await ask(familyCalls.ofs.add, { connectionInfo, serverName: 'Attic' });
  await put(local, { 'Laptop/b.txt': 'b' });
  for (const command of ['backup', 'sync']) {
    const { code, err } = await sheaf(command, join(local, 'Laptop'));
    assert.deepEqual([code, /1 file copied \(1 B\), 1 unchanged/.test(err)], [0, true], err);
  }
  assert.deepEqual(await readdir(other.root), []);
  assert.deepEqual((await readdir(join(source, 'Copy'), { recursive: true })).toSorted(), [
    'Laptop',
    'Laptop/a.txt',
    'Laptop/b.txt',
    'a.txt',
    'b.txt',
  ]);
});

test('the server refuses a later run of a backup (116) once the subscription has ended, whatever its folder is called, and nothing is copied [ERR-09]', async (t) => {
  const { sheaf, source, local, put, ask } = await setting(t);
  await put(local, { 'Laptop/a.txt': 'a' });
  assert.equal((await sheaf('backup', '--to', 'Attic/Copy', join(local, 'Laptop'))).code, 0);
  await put(local, { 'Laptop/b.txt': 'b' });
  assert.equal((await sheaf('backup', join(local, 'Laptop'))).code, 0);
  await ask(moveSandboxClock, { days: products.premium.trialDays + 1 });
  await put(local, { 'Laptop/c.txt': 'c' });
  for (const more of [[], ['--to', 'Attic/Copy'], ['--dry-run'], ['--checksum']]) {
    const { code, err } = await sheaf('backup', ...more, join(local, 'Laptop'));
    assert.equal(code, 1);
    assert.match(err, /You need a Backup subscription to use this folder\./);
  }
  assert.deepEqual((await readdir(join(source, 'Copy/Laptop'))).toSorted(), ['a.txt', 'b.txt']);
});

test('a backup without a subscription is refused by the server (116) before anything is created; a sync is not [ERR-09]', async (t) => {
  const { sheaf, source, local, put } = await setting(t, { hasPremium: false });
  await put(local, { 'Laptop/a.txt': 'a' });
  for (const more of [[], ['--dry-run']]) {
    const { code, err } = await sheaf('backup', '--to', 'Attic/Copy', ...more, join(local, 'Laptop'));
    assert.equal(code, 1);
    assert.match(err, /You need a Backup subscription to use this folder\./);
  }
  assert.deepEqual(await readdir(source), []);
  assert.equal((await sheaf('sync', '--to', 'Attic/Copy', join(local, 'Laptop'))).code, 0);
});
