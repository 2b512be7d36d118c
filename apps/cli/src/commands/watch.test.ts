import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { setting } from '#/testing/setting.ts';

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

test('a watched folder is copied after each change, including changes made while the program was not running; Ctrl-C ends it', async (t) => {
  const { start, source, local, put } = await setting(t);
  const copy = join(source, 'copy');
  const text = (path: string): Promise<string> => readFile(join(copy, path), 'utf8').catch(() => '');
  await put(local, { 'a.txt': 'one', 'deep/b.txt': 'bee' });
  const first = start('sync', '--watch', '--to', 'Attic/copy', local);
  await eventually(async () => (await text('deep/b.txt')) === 'bee', 'the folder is copied');
  await writeFile(join(local, 'a.txt'), 'two, which is longer');
  await put(local, { 'new/deeper/c.txt': 'sea' });
  await eventually(
    async () => (await text('a.txt')).startsWith('two') && (await text('new/deeper/c.txt')) === 'sea',
    'the changes are copied',
  );
  await writeFile(join(local, 'new/deeper/d.txt'), 'in a folder that came later');
  await eventually(async () => (await text('new/deeper/d.txt')) !== '', 'a change in the new folder is copied');
  await rm(join(local, 'a.txt'));
  await eventually(async () => !(await namesIn(copy)).includes('a.txt'), 'the file that is gone is deleted');
  first.signal('SIGKILL');
  await first.ended;
  await put(local, { 'late.txt': 'changed meanwhile' });
  await rm(join(local, 'deep/b.txt'));
  const second = start('sync', '--watch', local);
  await eventually(async () => (await text('late.txt')) !== '' && (await text('deep/b.txt')) === '', 'what changed meanwhile is copied');
  second.signal('SIGINT');
  assert.equal((await second.ended).code, 130);
});

test('--watch and --dry-run contradict each other', async (t) => {
  const { sheaf, local } = await setting(t);
  const { code, err } = await sheaf('sync', '--watch', '--dry-run', '--to', 'Attic', local);
  assert.deepEqual([code, err], [2, '--watch copies, and --dry-run does not.\n']);
});
