import assert from 'node:assert/strict';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { familyCalls } from '@sheaf/contract';
import { eventually, startFileServer } from '@sheaf/testbed';
import { type Setting, setting } from '#/testing/setting.ts';

test('a name of maximum length is downloaded; a name the disk cannot hold is reported without terminal escapes; the rest is downloaded', async (t) => {
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

test('links and special files are reported when their folder is uploaded, and refused on their own', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'tree/a.txt': 'a' });
  await symlink('a.txt', join(local, 'tree/link'));
  const { code, err } = await sheaf('put', '-r', join(local, 'tree'), 'Attic');
  assert.deepEqual([code, err], [0, 'link: skipped: a link or a special file\n']);
  assert.deepEqual(await readdir(join(source, 'tree')), ['a.txt']);
  const device = await sheaf('put', '/dev/null', 'Attic');
  assert.deepEqual([device.code, device.err], [2, '/dev/null is neither a file nor a folder.\n']);
});

/** Adds a second link, to another file server. */
async function secondLink(t: TestContext, { ask }: Pick<Setting, 'ask'>): Promise<string> {
  const server = await startFileServer({ keys: false });
  t.after(() => server.stop());
  const connectionInfo = JSON.stringify({ server: server.url, username: server.user, password: server.password });
  await ask(familyCalls.ofs.add, { connectionInfo, serverName: 'Cellar' });
  return server.root;
}

const many = Array.from({ length: 400 }, (_, index) => `${index}.txt`);

test('a move continues on the server when the program is killed, and running the same command again follows it to its end', async (t) => {
  const setup = await setting(t);
  const { sheaf, start, source, kept, put } = setup;
  const cellar = await secondLink(t, setup);
  await put(source, Object.fromEntries(many.map((name) => [`from/${name}`, name])));
  const run = start('mv', 'Attic/from', 'Cellar/new');
  await eventually(async () => (await readdir(join(kept, 'moves')).catch(() => [])).length > 0, 'the move has begun');
  run.signal('SIGKILL');
  await run.ended;
  const again = await sheaf('mv', 'Attic/from', 'Cellar/new');
  assert.deepEqual([again.code, again.err], [0, '']);
  assert.deepEqual([await readdir(source), await readdir(cellar), await readdir(join(kept, 'moves'))], [[], ['new'], []]);
  assert.deepEqual((await readdir(join(cellar, 'new'))).toSorted(), many.toSorted());
  await put(source, { 'b.txt': 'other' });
  await put(cellar, { 'b.txt': 'bytes' });
  const refused = await sheaf('mv', 'Attic/b.txt', 'Cellar');
  assert.deepEqual([refused.code, refused.err], [1, 'There is already an item named "b.txt".\n']);
  assert.deepEqual(await readdir(source), ['b.txt']);
});

test('Ctrl-C cancels the move on the server; what is moved stays moved, and nothing is lost', async (t) => {
  const setup = await setting(t);
  const { start, source, kept, put } = setup;
  const cellar = await secondLink(t, setup);
  await put(source, Object.fromEntries(many.map((name) => [`from/${name}`, name])));
  const run = start('mv', 'Attic/from', 'Cellar');
  await eventually(async () => (await readdir(join(cellar, 'from')).catch(() => [])).length > 5, 'some are moved');
  run.signal('SIGINT');
  assert.equal((await run.ended).code, 130);
  assert.deepEqual(await readdir(join(kept, 'moves')), []);
  const [stayed, moved] = [await readdir(join(source, 'from')).catch(() => []), await readdir(join(cellar, 'from'))];
  assert.deepEqual([...new Set([...stayed, ...moved])].filter((name) => !name.startsWith('.')).toSorted(), many.toSorted());
});

test('a folder that receives a file while it is moved keeps it and is not deleted', async (t) => {
  const setup = await setting(t);
  const { start, source, put, text } = setup;
  const cellar = await secondLink(t, setup);
  await put(source, Object.fromEntries(many.map((name) => [`from/${name}`, 'x'])));
  const run = start('mv', 'Attic/from', 'Cellar');
  await eventually(async () => (await readdir(join(cellar, 'from')).catch(() => [])).length > 5, 'some are moved');
  await put(source, { 'from/late.txt': 'came late' });
  const { code, err } = await run.ended;
  assert.deepEqual([code, err], [4, 'Attic/from got something new while it was moved, which is still there.\n']);
  assert.equal(await text(source, 'from/late.txt'), 'came late');
  assert.deepEqual(await readdir(join(source, 'from')), ['late.txt']);
});

test('a copy between links runs on the server alone, under the requested name', async (t) => {
  const setup = await setting(t);
  const { sheaf, source, put, text } = setup;
  const cellar = await secondLink(t, setup);
  await put(source, { 'a.txt': 'a', 'tree/deep/b.txt': 'b' });
  for (const args of [
    ['cp', 'Attic/a.txt', 'Cellar/z.txt'],
    ['cp', '-r', 'Attic/tree', 'Cellar/other'],
    ['cp', '--replace', 'Attic/a.txt', 'Cellar/other/deep/b.txt'],
  ]) {
    const { code, err } = await sheaf(...args);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
  }
  assert.deepEqual([await text(cellar, 'z.txt'), await text(cellar, 'other/deep/b.txt')], ['a', 'a']);
  assert.deepEqual((await readdir(cellar)).toSorted(), ['other', 'z.txt']);
});
