import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cancelHandoff, completeHandoff } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { type Running, setting } from '#/testing/setting.ts';

const summary = ({ err }: { err: string }): string => err.trimEnd().split('\n').at(-1) ?? '';
/** The process token in the printed address. */
async function tokenOf({ err }: Running): Promise<string> {
  let token: string | undefined;
  await eventually(async () => (token = /processToken=([\w-]+)/.exec(err())?.[1]) !== undefined, 'the address is printed');
  return token ?? '';
}

test('the first sync opens the folder picker and copies everything; the next one copies only what changed', async (t) => {
  const { start, sheaf, source, local, put, text, ask } = await setting(t);
  await put(local, { 'a.txt': 'a', 'deep/er/b.txt': 'bb', 'c.txt': 'c' });
  await mkdir(join(local, 'hollow'));
  const first = start('sync', '--no-open', local);
  const processToken = await tokenOf(first);
  assert.match(first.err(), /\/getfolder\?processToken=[\w-]+&actionType=syncexternalfolder&evaluateMerge=true/);
  const linkUri = (JSON.parse((await sheaf('links', '--json')).out) as { linkUri: string }[])[0]?.linkUri ?? '';
  await ask(completeHandoff, { processToken, processData: JSON.stringify({ destinationPath: 'Attic/Copy', linkUri: `${linkUri}/Copy` }) });
  const ran = await first.ended;
  assert.deepEqual([ran.code, summary(ran)], [0, '3 files copied (4 B), 0 unchanged.']);
  assert.deepEqual((await readdir(join(source, 'Copy'), { recursive: true })).toSorted(), [
    'a.txt',
    'c.txt',
    'deep',
    'deep/er',
    'deep/er/b.txt',
    'hollow',
  ]);
  assert.equal(summary(await sheaf('sync', local)), '0 files copied (0 B), 3 unchanged.');
  await put(local, { 'a.txt': 'A', 'new.txt': 'new' }, new Date());
  assert.equal(summary(await sheaf('sync', local)), '2 files copied (4 B), 2 unchanged.');
  assert.equal(await text(source, 'Copy/a.txt'), 'A');
});

test('a sync deletes what it had copied and is gone locally, and nothing else', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await put(source, { 'Copy/theirs.txt': 'theirs' });
  await sheaf('sync', '--to', 'Attic/Copy', local);
  await rm(join(local, 'a.txt'));
  await rm(join(local, 'b.txt'));
  await put(source, { 'Copy/b.txt': 'changed there' });
  assert.match((await sheaf('sync', '--dry-run', local)).err, /^a\.txt: would be deleted at the destination$/m);
  assert.equal((await readdir(join(source, 'Copy'))).length, 4);
  assert.equal(summary(await sheaf('sync', local)), '0 files copied (0 B), 1 unchanged, 1 deleted.');
  assert.deepEqual(await readdir(join(source, 'Copy')), ['b.txt', 'c.txt', 'theirs.txt']);
});

test('an empty folder, such as the mount point of an unmounted disk, deletes nothing', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a' });
  await sheaf('sync', '--to', 'Attic/Copy', local);
  await rm(join(local, 'a.txt'));
  const ran = await sheaf('sync', local);
  assert.deepEqual([ran.code, /Is a disk not mounted\?/.test(ran.err)], [1, true]);
  assert.deepEqual(await readdir(join(source, 'Copy')), ['a.txt']);
});

test('a backup goes into a folder of its own name, next to others, and never deletes', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'Laptop/a.txt': 'a', 'Laptop/b.txt': 'b', 'Other/a.txt': 'other' });
  for (const name of ['Laptop', 'Other']) assert.equal((await sheaf('backup', '--to', 'Attic/Backups', join(local, name))).code, 0);
  await rm(join(local, 'Laptop/a.txt'));
  assert.equal(summary(await sheaf('backup', join(local, 'Laptop'))), '0 files copied (0 B), 1 unchanged.');
  assert.deepEqual((await readdir(join(source, 'Backups'), { recursive: true })).toSorted(), [
    'Laptop',
    'Laptop/a.txt',
    'Laptop/b.txt',
    'Other',
    'Other/a.txt',
  ]);
});

test('cancelling in the browser stops the program, which asks again the next time', async (t) => {
  const { start, local, ask } = await setting(t);
  for (let time = 0; time < 2; time++) {
    const run = start('backup', '--no-open', local);
    await ask(cancelHandoff, { processToken: await tokenOf(run) });
    const { code, err } = await run.ended;
    assert.deepEqual([code, err.trimEnd().split('\n').at(-1)], [1, 'The action has been canceled.']);
  }
});

test('a file that vanished or changed its size at the destination is copied again', async (t) => {
  const { sheaf, source, local, put, text } = await setting(t);
  await put(local, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await sheaf('sync', '--to', 'Attic/Copy', local);
  await rm(join(source, 'Copy/a.txt'));
  await appendFile(join(source, 'Copy/b.txt'), 'more');
  assert.equal(summary(await sheaf('sync', local)), '2 files copied (2 B), 1 unchanged.');
  assert.equal(await text(source, 'Copy/b.txt'), 'b');
});

test('a stopped run resumes where it was, even if the journal ends in the middle of a line', async (t) => {
  const { start, sheaf, source, local, kept } = await setting(t);
  const count = 400;
  for (let index = 0; index < count; index++) await writeFile(join(local, `${index}.bin`), 'x'.repeat(20_000));
  const run = start('sync', '--to', 'Attic/Copy', local);
  await eventually(async () => (await readdir(join(source, 'Copy')).catch(() => [])).length > 10, 'some are copied');
  run.signal('SIGKILL');
  await run.ended;
  const [journal = ''] = (await readdir(join(kept, 'jobs'))).filter((name) => name.endsWith('.jsonl'));
  await appendFile(join(kept, 'jobs', journal), '{"path":"torn');
  const ran = await sheaf('sync', local);
  assert.equal(ran.code, 0, ran.err);
  const [, copied, unchanged] = /^(\d+) files copied .*, (\d+) unchanged/.exec(summary(ran)) ?? [];
  assert.equal(Number(copied) + Number(unchanged), count);
  assert.ok(Number(unchanged) > 5 && Number(copied) > 0, summary(ran));
  assert.equal((await readdir(join(source, 'Copy'))).length, count);
});

test('Ctrl-C exits with 130 and keeps what was done', async (t) => {
  const { start, sheaf, source, local } = await setting(t);
  for (let index = 0; index < 300; index++) await writeFile(join(local, `${index}.bin`), 'x'.repeat(20_000));
  const run = start('sync', '--to', 'Attic/Copy', local);
  await eventually(async () => (await readdir(join(source, 'Copy')).catch(() => [])).length > 10, 'some are copied');
  run.signal('SIGINT');
  const { code, err } = await run.ended;
  assert.deepEqual([code, summary({ err })], [130, 'Stopped. What was copied so far is kept; run it again to go on.']);
  assert.match(summary(await sheaf('sync', local)), /^\d+ files copied .*, (?!0)\d+ unchanged\.$/);
});

test('two runs of one folder never overlap, and the lock of a killed run is taken over', async (t) => {
  const { start, sheaf, local, put, ask, kept } = await setting(t);
  await put(local, { 'a.txt': 'a' });
  const first = start('sync', '--no-open', local);
  const processToken = await tokenOf(first);
  const second = await sheaf('sync', '--no-open', local);
  assert.deepEqual([second.code, summary(second)], [1, 'This folder is being copied by another run already.']);
  await ask(cancelHandoff, { processToken });
  await first.ended;
  const [journal = ''] = (await readdir(join(kept, 'jobs'))).filter((name) => name.endsWith('.jsonl'));
  await writeFile(join(kept, 'jobs', `${journal}.lock`), '99999999');
  assert.equal((await sheaf('sync', '--to', 'Attic/Copy', local)).code, 0);
});

test('with --checksum a file of which only the time changed is not copied again', async (t) => {
  const { sheaf, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a' });
  await sheaf('sync', '--checksum', '--to', 'Attic/Copy', local);
  await utimes(join(local, 'a.txt'), new Date(), new Date());
  assert.equal(summary(await sheaf('sync', '--checksum', local)), '0 files copied (0 B), 1 unchanged.');
  await put(local, { 'a.txt': 'b' }, new Date());
  assert.equal(summary(await sheaf('sync', '--checksum', local)), '1 file copied (1 B), 0 unchanged.');
});

test('links are skipped with a message; a file that the destination refuses fails alone, with exit code 4', async (t) => {
  const { sheaf, source, local, put } = await setting(t);
  await put(local, { 'a.txt': 'a', 'b.txt': 'b' });
  await put(source, { 'Copy/b.txt/inside': 'a folder of that name' });
  await symlink('/etc/passwd', join(local, 'link'));
  const ran = await sheaf('sync', '--to', 'Attic/Copy', local);
  assert.equal(ran.code, 4);
  assert.match(ran.err, /^link: skipped/m);
  assert.match(ran.err, /^b\.txt: /m);
  assert.match(ran.err, /^1 file copied \(1 B\), 0 unchanged, 1 skipped, 1 failed\.$/m);
  assert.deepEqual(await readdir(join(source, 'Copy')), ['a.txt', 'b.txt']);
});

test('a dry run changes nothing on either side', async (t) => {
  const { sheaf, source, local, kept, put } = await setting(t);
  await put(local, { 'a.txt': 'a', 'deep/b.txt': 'b' });
  await mkdir(join(source, 'Copy'));
  const { code, err } = await sheaf('sync', '--dry-run', '--to', 'Attic/Copy', local);
  assert.deepEqual([code, /^2 files would be copied \(2 B\), 0 unchanged\.$/m.test(err)], [0, true]);
  assert.deepEqual(await readdir(join(source, 'Copy')), []);
  assert.deepEqual(await readdir(join(kept, 'jobs')), []);
});
