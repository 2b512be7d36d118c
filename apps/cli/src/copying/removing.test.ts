import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { addFolder } from '@sheaf/contract';
import { Failure } from '#/failure.ts';
import { setting } from '#/testing/setting.ts';
import { syncing } from '#/testing/syncing.ts';
import { forEach } from './copy-tree.ts';

const summary = ({ err }: { err: string }): string => err.trimEnd().split('\n').at(-1) ?? '';

test('files of a folder that was deleted locally are deleted too', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a', 'gone/deep/b.txt': 'b', 'gone/c.txt': 'c' });
  await put(source, { 'Copy/gone/theirs.txt': 'theirs' });
  await sheaf('sync', '--to', 'Attic/Copy', local);
  await rm(join(local, 'gone'), { recursive: true });
  assert.match((await sheaf('sync', '--dry-run', local)).err, /^gone\/deep\/b\.txt: would be deleted at the destination$/m);
  assert.equal(summary(await sheaf('sync', local)), '0 files copied (0 B), 1 unchanged, 2 deleted.');
  assert.deepEqual((await readdir(join(source, 'Copy'), { recursive: true })).toSorted(), [
    'a.txt',
    'gone',
    'gone/deep',
    'gone/theirs.txt',
  ]);
});

test('a file that became a link locally does not count as deleted: its copy stays', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a', 'b.txt': 'b', 'deep/c.txt': 'c' });
  await sheaf('sync', '--to', 'Attic/Copy', local);
  const elsewhere = join(local, '../elsewhere');
  await rename(join(local, 'deep'), elsewhere);
  await symlink(elsewhere, join(local, 'deep'));
  await rm(join(local, 'b.txt'));
  await symlink('a.txt', join(local, 'b.txt'));
  assert.equal(summary(await sheaf('sync', local)), '0 files copied (0 B), 1 unchanged, 2 skipped.');
  assert.deepEqual((await readdir(join(source, 'Copy'), { recursive: true })).toSorted(), ['a.txt', 'b.txt', 'deep', 'deep/c.txt']);
});

test('a dry run to another folder leaves the stored job unchanged', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a', 'b.txt': 'b' });
  await put(source, { 'Other/theirs.txt': 'theirs' });
  await sheaf('sync', '--to', 'Attic/Copy', local);
  assert.match((await sheaf('sync', '--dry-run', '--to', 'Attic/Other', local)).err, /^2 files would be copied/m);
  await rm(join(local, 'b.txt'));
  assert.equal(summary(await sheaf('sync', local)), '0 files copied (0 B), 1 unchanged, 1 deleted.');
  assert.deepEqual(await readdir(join(source, 'Copy')), ['a.txt']);
  assert.deepEqual(await readdir(join(source, 'Other')), ['theirs.txt']);
});

test('a file renamed only in case is not deleted where the destination treats both names as one', async (t) => {
  const { root, stored, run } = await syncing(t);
  await writeFile(join(root, 'a.txt'), 'a');
  await run();
  await rename(join(root, 'a.txt'), join(root, 'A.txt'));
  assert.equal((await run()).removed, 0);
  assert.deepEqual([...stored.keys()], ['x:/a.txt']);
});

test('names match in any Unicode normalisation that the destination uses', async (t) => {
  const { root, stored, run } = await syncing(t);
  const [decomposed, composed] = ['Ma\u0308rz', 'M\u00e4rz'];
  await mkdir(join(root, decomposed));
  await writeFile(join(root, decomposed, `${decomposed}.txt`), 'a');
  await run();
  const { copied, unchanged, failed } = await run();
  assert.deepEqual([copied, unchanged, failed], [0, 1, 0]);
  // For the destination both spellings are the same file.
  await writeFile(join(root, 'b.txt'), 'b');
  await rename(join(root, decomposed, `${decomposed}.txt`), join(root, decomposed, `${composed}.txt`));
  assert.equal((await run()).removed, 0);
  await rm(join(root, decomposed), { recursive: true });
  assert.ok((await run()).removed > 0);
  assert.deepEqual([...stored.keys()].toSorted(), ['x:/b.txt', `x:/${composed.toLowerCase()}`]);
});

test('a file that cannot be checked at the destination is remembered, and deleted once it can be', async (t) => {
  const { root, stored, refused, run, client } = await syncing(t);
  await client.ask(addFolder, { parentLinkUri: 'x:', folderName: 'deep', conflict: 'fail' }, AbortSignal.timeout(20_000));
  const deep = join(root, 'deep');
  await writeFile(join(root, 'a.txt'), 'a');
  await mkdir(deep);
  await writeFile(join(deep, 'b.txt'), 'b');
  await run();
  await rm(deep, { recursive: true });
  refused.add('x:/deep');
  const { removed, failed } = await run();
  assert.deepEqual([removed, failed], [0, 1]);
  refused.clear();
  assert.equal((await run()).removed, 1);
  assert.deepEqual([...stored.keys()].toSorted(), ['x:/a.txt', 'x:/deep']);
});

test('once copying is ended, no other file is started, and running ones are awaited', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const work = async (one: number): Promise<void> => {
    begun.push(one);
    for (let turn = 0; turn < one; turn++) await setImmediate();
    if (one === 2) throw new Failure('full');
    ended.push(one);
  };
  await assert.rejects(forEach([2, 9, 5, 1, 1], 3, work), /full/);
  assert.deepEqual(
    [begun, ended],
    [
      [2, 9, 5],
      [5, 9],
    ],
  );
});
