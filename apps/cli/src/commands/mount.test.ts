import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { confirmDevice, listAppPasswords, refuseDevice } from '@sheaf/contract';
import { eventually, run } from '@sheaf/testbed';
import { type Setting, codeOf, setting } from '#/testing/setting.ts';

/** Why drives cannot be mounted on this machine. */
const reason = await access('/dev/fuse', constants.R_OK | constants.W_OK).then(
  () => (process.getuid?.() === 0 ? false : 'mounting needs root'),
  () => 'this machine has no FUSE (/dev/fuse)',
);
const path = { PATH: '/usr/bin:/bin' };

/** Mounts a drive, confirming it in the browser. */
async function mounted({ start, ask }: Setting, ...args: readonly string[]) {
  const running = start('mount', '--no-open', ...args);
  await ask(confirmDevice, { userCode: await codeOf(running) });
  return running.ended;
}
const isDrive = async (folder: string): Promise<boolean> => (await readFile('/proc/self/mountinfo', 'utf8')).includes(` ${folder} `);
async function driveIn(t: TestContext, { local }: Setting): Promise<string> {
  const folder = join(local, 'drive');
  t.after(async () => {
    if (await isDrive(folder)) await run('umount', ['-l', folder]);
  });
  return folder;
}
const keptIn = async ({ kept }: Setting): Promise<{ file: string; password: string }[]> => {
  const files = (await readdir(join(kept, 'drives')).catch(() => [])).map((name) => join(kept, 'drives', name));
  return Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .map(async (file) => ({ file, password: (JSON.parse(await readFile(file, 'utf8')) as { password: string }).password })),
  );
};

test(
  'a folder of a link is mounted with sshfs and an app password of its own, which no other user can see; unmount revokes it',
  { skip: reason },
  async (t) => {
    const user = await setting(t, { env: path });
    const { sheaf, source, put, text, ask } = user;
    const folder = await driveIn(t, user);
    await put(source, { 'Photos/a.txt': 'from there', 'private.txt': 'not in the drive' });
    const { code, err } = await mounted(user, 'Attic/Photos', folder);
    assert.equal(code, 0, err);
    assert.ok(await isDrive(folder));
    assert.equal(await text(folder, 'a.txt'), 'from there');
    await writeFile(join(folder, 'b.txt'), 'from here');
    await eventually(async () => (await text(source, 'Photos/b.txt').catch(() => '')) === 'from here', 'the file arrives');
    assert.deepEqual((await readdir(folder)).toSorted(), ['a.txt', 'b.txt']);

    const [made] = (await ask(listAppPasswords, {})).appPasswords;
    assert.ok(made?.linkUris.length === 1 && made.linkUris[0]?.endsWith('/Photos'), JSON.stringify(made));
    const [kept] = await keptIn(user);
    assert.ok(kept && kept.password.length > 20);
    assert.equal((await stat(kept.file)).mode & 0o777, 0o600);
    for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
      assert.ok(!(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).includes(kept.password), `process ${id}`);
    assert.ok(!err.includes(kept.password));
    assert.match((await sheaf('mount', 'Attic', folder)).err, /is a drive already/);

    // The state after a restart of the computer.
    await run('umount', [folder]);
    const again = await sheaf('mount', '--no-open', 'Attic/Photos', folder);
    assert.equal(again.code, 0, again.err);
    assert.equal(await text(folder, 'b.txt'), 'from here');
    assert.equal((await sheaf('unmount', folder)).code, 0);
    assert.ok(!(await isDrive(folder)));
    assert.deepEqual([(await ask(listAppPasswords, {})).appPasswords, await keptIn(user)], [[], []]);
    assert.match((await sheaf('unmount', folder)).err, /is no drive that was made here/);
  },
);

test('--all --read mounts everything as a read-only drive', { skip: reason }, async (t) => {
  const user = await setting(t, { env: path });
  const { sheaf, source, put, text } = user;
  const folder = await driveIn(t, user);
  await put(source, { 'a.txt': 'from there' });
  const { code, err } = await mounted(user, '--all', '--read', folder);
  assert.equal(code, 0, err);
  assert.equal(await text(folder, 'Attic/a.txt'), 'from there');
  await assert.rejects(writeFile(join(folder, 'Attic/b.txt'), 'from here'));
  // The state after a restart of the computer.
  await run('umount', [folder]);
  assert.equal((await sheaf('unmount', folder)).code, 0);
  assert.deepEqual(await keptIn(user), []);
});

test('a refusal in the browser, a folder that is not empty, or missing programs leave nothing behind', async (t) => {
  const user = await setting(t, { env: { PATH: '/nowhere' } });
  const { sheaf, local, put } = user;
  const without = await sheaf('mount', 'Attic', join(local, 'drive'));
  assert.equal(without.code, 1);
  assert.match(without.err, /sshfs is missing|no FUSE|davfs2/);

  const standIn = await withGio(t, 0);
  await put(standIn.local, { 'full/a.txt': 'a' });
  assert.match((await standIn.sheaf('mount', 'Attic', join(standIn.local, 'full'))).err, /full is not empty\.\n$/);
  const running = standIn.start('mount', '--no-open', 'Attic', join(standIn.local, 'drive'));
  await standIn.ask(refuseDevice, { userCode: await codeOf(running) });
  const { code, err } = await running.ended;
  assert.deepEqual([code, err.endsWith('the person refused.\n')], [1, true], err);
  for (const one of [user, standIn]) assert.deepEqual([await keptIn(one), (await one.ask(listAppPasswords, {})).appPasswords], [[], []]);
});

/** A user whose computer has only a stand-in for gio, which records its arguments and standard input. */
async function withGio(t: TestContext, exit: number): Promise<Setting & { calls(): Promise<string> }> {
  const own = { bin: '', calls: '' };
  const made = await setting(t);
  own.bin = join(made.local, '..', 'bin');
  own.calls = join(made.local, '..', 'calls');
  await mkdir(own.bin);
  await mkdir(join(made.local, '..', 'place'));
  const script = `#!/bin/sh
echo "$@" >> '${own.calls}'
case "$1" in
  info) echo 'local path: ${join(made.local, '..', 'place')}' ;;
  mount) [ "$2" = -u ] || { read -r line; echo "read $line" >> '${own.calls}'; exit ${exit}; } ;;
esac
`;
  await writeFile(join(own.bin, 'gio'), script);
  await chmod(join(own.bin, 'gio'), 0o755);
  return { ...made, ...made.withPath(own.bin), calls: () => readFile(own.calls, 'utf8') };
}

test('with gio, the folder becomes a link to the mount point of gio, and the password goes through standard input', async (t) => {
  const user = await withGio(t, 0);
  const folder = join(user.local, 'drive');
  const { code, err } = await mounted(user, 'Attic', folder);
  assert.equal(code, 0, err);
  assert.ok((await lstat(folder)).isSymbolicLink());
  const [kept] = await keptIn(user);
  const [called, read] = (await user.calls()).split('\n');
  assert.match(called ?? '', /^mount dav:\/\/[\w-]+@127\.0\.0\.1:\d+\/dav\/Attic\/$/);
  assert.equal(read, `read ${kept?.password}`);
  assert.equal((await user.sheaf('unmount', folder)).code, 0);
  assert.match(await user.calls(), /mount -u dav:/);
  assert.deepEqual((await user.ask(listAppPasswords, {})).appPasswords, []);
});

test('a failed mount leaves neither an app password nor a file', async (t) => {
  const user = await withGio(t, 3);
  const { code, err } = await mounted(user, 'Attic', join(user.local, 'drive'));
  assert.deepEqual([code, err.endsWith('gio failed: exit code 3\n')], [1, true], err);
  assert.deepEqual([(await user.ask(listAppPasswords, {})).appPasswords, await keptIn(user)], [[], []]);
});
