import assert from 'node:assert/strict';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { setting } from '#/testing/setting.ts';

test('a name as long as names can be comes down, and what cannot is named by letters that steer no terminal; the rest is done', async (t) => {
  const { sheaf, source, local, put, text } = await setting(t);
  const long = '文'.repeat(85);
  await put(source, { 'from/z.txt': 'z', [`from/${long}`]: 'long', 'from/a/in.txt': 'in', 'from/\u001b[31mred': 'new' });
  const whole = await sheaf('get', '-r', 'Attic/from', local);
  assert.equal(whole.code, 0, whole.err);
  assert.equal(await text(local, `from/${long}`), 'long');
  await put(local, { 'other/from/a': 'a file, where a folder is to go', 'other/from/\u001b[31mred': 'there already' });
  const partly = await sheaf('get', '-r', 'Attic/from', join(local, 'other'));
  assert.equal(partly.code, 4);
  assert.ok(!partly.err.includes('\u001b'), JSON.stringify(partly.err));
  assert.match(partly.err, /\\u001b\[31mred is there already/);
  assert.match(partly.err, /from\/a/);
  assert.deepEqual((await readdir(join(local, 'other/from'))).toSorted(), ['\u001b[31mred', 'a', 'z.txt', long].toSorted());
});

test('links and special files are named when a folder goes up, and refused by themselves', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'tree/a.txt': 'a' });
  await symlink('a.txt', join(local, 'tree/link'));
  const { code, err } = await sheaf('put', '-r', join(local, 'tree'), 'Attic');
  assert.deepEqual([code, err], [0, 'link: skipped: a link or a special file\n']);
  assert.deepEqual(await readdir(join(source, 'tree')), ['a.txt']);
  const device = await sheaf('put', '/dev/null', 'Attic');
  assert.deepEqual([device.code, device.err], [2, '/dev/null is neither a file nor a folder.\n']);
});

test('a move that was killed goes on when it is asked for again, and ends where it was to end', async (t) => {
  const { sheaf, start, source, put } = await setting(t);
  const names = Array.from({ length: 200 }, (_, index) => `${index}.txt`);
  await put(source, Object.fromEntries(names.map((name) => [`from/${name}`, name])));
  await mkdir(join(source, 'else'));
  const run = start('mv', 'Attic/from', 'Attic/else/new');
  await eventually(async () => (await readdir(join(source, 'else/new')).catch(() => [])).length > 5, 'some are copied');
  run.signal('SIGKILL');
  await run.ended;
  const again = await sheaf('mv', 'Attic/from', 'Attic/else/new');
  assert.deepEqual([again.code, again.err], [0, '']);
  assert.deepEqual(await readdir(source), ['else']);
  assert.deepEqual((await readdir(join(source, 'else/new'))).toSorted(), names.toSorted());
  await put(source, { 'a.txt': 'copied', 'else/a.txt': 'copied', 'b.txt': 'other', 'else/b.txt': 'bytes' });
  assert.equal((await sheaf('mv', 'Attic/a.txt', 'Attic/else')).code, 0);
  assert.equal((await sheaf('mv', 'Attic/b.txt', 'Attic/else')).code, 1);
  assert.deepEqual((await readdir(source)).toSorted(), ['b.txt', 'else']);
});

test('a folder that gets a file while it is moved is not deleted', async (t) => {
  const { start, source, put, text } = await setting(t);
  await put(source, Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`from/${index}.txt`, 'x'])));
  await mkdir(join(source, 'else'));
  const run = start('mv', 'Attic/from', 'Attic/else');
  await eventually(async () => (await readdir(join(source, 'else/from')).catch(() => [])).length > 5, 'some are copied');
  await put(source, { 'from/late.txt': 'came late' });
  const { code, err } = await run.ended;
  assert.deepEqual([code, err], [4, 'late.txt came or changed while from was copied. Nothing was deleted.\n']);
  assert.equal(await text(source, 'from/late.txt'), 'came late');
});
