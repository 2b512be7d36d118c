import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Item, addFolder, deleteObject } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { Failure } from '#/failure.ts';
import { createProgress } from '#/progress.ts';
import { setting } from '#/testing/setting.ts';
import { copyTree, forEach } from './copy-tree.ts';
import { openJournal } from './journal.ts';

const summary = ({ err }: { err: string }): string => err.trimEnd().split('\n').at(-1) ?? '';

test('files of a folder that is gone here are taken away too', async (t) => {
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

test('what became a link here is not gone: it stays at the destination', async (t) => {
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

test('a dry run to another folder leaves the job with its own', async (t) => {
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

/** A destination that takes names which differ in case for one, and keeps the first; files and folders by their path in small letters. */
function caselessDestination() {
  const stored = new Map<string, Item>();
  const refused = new Set<string>();
  const put = (linkUri: string, item: Pick<Item, 'fileType' | 'size'>): Item => {
    const path = stored.get(linkUri.toLowerCase())?.linkUri ?? linkUri;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const kept: Item = { ...item, name, disambiguatedName: name, linkUri: path };
    stored.set(path.toLowerCase(), kept);
    return kept;
  };
  const isIn = (folder: string, path: string): boolean => path.slice(0, path.lastIndexOf('/')) === folder;
  const client = {
    ask: async (call: object, { linkUri = '', parentLinkUri = '', folderName = '' }: Readonly<Record<string, string>>) => {
      if (call === deleteObject) return stored.delete(linkUri.toLowerCase());
      if (call === addFolder) return put(`${parentLinkUri}/${folderName}`, { fileType: 'FOLDER' });
      if (refused.has(linkUri)) throw new Failure('The folder cannot be read.');
      return { items: [...stored].filter(([path]) => isIn(linkUri.toLowerCase(), path)).map(([, item]) => item), hasMore: false };
    },
    upload: async ({ parentLinkUri, name, stream }: Parameters<Client['upload']>[0]) => {
      let size = 0;
      for await (const chunk of stream) size += (chunk as Buffer).byteLength;
      return put(`${parentLinkUri}/${name}`, { fileType: 'FILE', size });
    },
  } as unknown as Client;
  return { client, stored, refused };
}

async function syncing(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'sheaf-sync-'));
  const kept = await mkdtemp(join(tmpdir(), 'sheaf-journal-'));
  t.after(() => Promise.all([root, kept].map((folder) => rm(folder, { recursive: true }))));
  const destination = caselessDestination();
  const journal = await openJournal(join(kept, 'job'));
  t.after(() => journal.close());
  const target: Item = { name: 'Copy', disambiguatedName: 'Copy', linkUri: 'x:', fileType: 'FOLDER' };
  const progress = createProgress({ write: () => true }, () => 0);
  const options = { root, target, journal, removesGone: true, byHash: false, dryRun: false, atATime: 1, progress };
  return { ...destination, root, run: () => copyTree(destination.client, options, AbortSignal.timeout(10_000)) };
}

test('a file that is called otherwise only in case is not taken away where the destination takes both names for one', async (t) => {
  const { root, stored, run } = await syncing(t);
  await writeFile(join(root, 'a.txt'), 'a');
  await run();
  await rename(join(root, 'a.txt'), join(root, 'A.txt'));
  assert.equal((await run()).removed, 0);
  assert.deepEqual([...stored.keys()], ['x:/a.txt']);
});

test('what cannot be looked for at the destination is not forgotten: it is taken away when it can', async (t) => {
  const { root, stored, refused, run, client } = await syncing(t);
  await client.ask(addFolder, { parentLinkUri: 'x:', folderName: 'deep', conflict: 'fail' }, AbortSignal.timeout(1000));
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

test('once something ends the copying, no other file is begun, and what was begun is waited for', async () => {
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
