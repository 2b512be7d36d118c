import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { listAuthCodes, revokeAuthCode } from '@sheaf/contract';
import { setting } from './testing/setting.ts';

test('sign-in reads a code from standard input and stores the token readable by the user only; sign-out revokes it', async (t) => {
  const { url, email, kept, sheaf, sheafWith, authCode } = await setting(t, { signedIn: false });
  assert.deepEqual([(await sheaf('links')).code, (await sheaf('links')).err.includes('sheaf login')], [3, true]);
  const code = await authCode();
  const signedIn = await sheafWith(`${code}\n`, 'sign-in', url);
  assert.deepEqual([signedIn.code, signedIn.out], [0, '']);
  assert.ok(signedIn.err.includes(`Signed in as Mara (${email}).`), signedIn.err);
  const file = join(kept, 'account.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(kept)).mode & 0o777, 0o700);
  const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string };
  assert.ok(!signedIn.err.includes(code) && !signedIn.err.includes(token));
  assert.equal((await sheaf('sign-out')).code, 0);
  assert.deepEqual(await readdir(kept), []);
  await writeFile(file, JSON.stringify({ url, token }));
  const after = await sheaf('links');
  assert.deepEqual([after.code, after.err], [3, 'Your session has expired. Please sign in again.\n']);
});

test('an unknown code is refused, and revoking a code signs out', async (t) => {
  const { url, sheaf, sheafWith, ask } = await setting(t);
  const wrong = await sheafWith('guess\n', 'sign-in', url);
  assert.deepEqual([wrong.code, /This authentication code is unknown/.test(wrong.err)], [1, true]);
  assert.equal((await sheaf('links')).code, 0);
  for (const { authCodeId } of (await ask(listAuthCodes, {})).codes) await ask(revokeAuthCode, { authCodeId });
  assert.equal((await sheaf('links')).code, 3);
});

test('links and folders are listed as text and as JSON', async (t) => {
  const { sheaf, source, put } = await setting(t);
  await put(source, { 'Photos/a.jpg': 'abc', 'notes.txt': 'hello' });
  assert.match((await sheaf('links')).out, /^Attic\tSheaf File Server\t(?:unknown|ok)\n$/);
  assert.match((await sheaf('ls')).out, /^Attic\t/);
  assert.equal((await sheaf('ls', 'Attic')).out, 'Photos/\nnotes.txt\n');
  assert.equal((await sheaf('ls', '-l', 'Attic/Photos')).out, '             3  2026-01-02T03:04:05Z  a.jpg\n');
  const [first] = (await sheaf('ls', '--json', 'Attic/Photos')).out.split('\n');
  assert.deepEqual(JSON.parse(first ?? ''), { name: 'a.jpg', fileType: 'FILE', size: 3, modified: 1767323045 });
  const missing = await sheaf('ls', 'Attic/Nothing');
  assert.deepEqual([missing.code, missing.err], [1, '"Nothing" no longer exists.\n']);
});

test('items are found by name, with the index status of the links', async (t) => {
  const { sheaf, source, put } = await setting(t);
  await put(source, { 'Photos/Été.jpg': 'abc', 'Photos/2026/été 2.jpg': 'abc', 'notes.txt': 'hello' });
  for (const folder of ['Attic', 'Attic/Photos']) await sheaf('ls', folder);
  // A listing is stored after the answer is sent, so the search may not find it at first.
  let found = await sheaf('find', 'ete');
  for (let tries = 0; tries < 30 && !(found.out.includes('jpg') && found.err.includes('2 of')); tries++) found = await sheaf('find', 'ete');
  assert.deepEqual([found.code, found.out, found.err], [0, 'Attic/Photos/Été.jpg\n', 'Attic: 2 of about 3 folders known.\n']);
  const [folder] = (await sheaf('find', '--json', 'type:folder', '2026')).out.split('\n');
  assert.deepEqual((JSON.parse(folder ?? '') as { path: string; fileType: string }).path, 'Attic/Photos/2026');
  assert.equal((await sheaf('find', '--link', 'Cellar', 'ete')).out, '');
  assert.equal((await sheaf('find')).code, 2);
});

test('a folder of several pages is listed completely', async (t) => {
  const { sheaf, source, put } = await setting(t);
  await put(source, Object.fromEntries(Array.from({ length: 1203 }, (_, index) => [`many/${String(index).padStart(4, '0')}`, ''])));
  const names = (await sheaf('ls', 'Attic/many')).out.trimEnd().split('\n');
  assert.deepEqual([names.length, new Set(names).size, names.at(-1)], [1203, 1203, '1202']);
});

test('files and folders are uploaded and downloaded unchanged', async (t) => {
  const { sheaf, source, local, put, text } = await setting(t);
  await put(local, { 'one.txt': 'one', 'tree/deep/two.txt': 'two', 'tree/empty.txt': '' });
  assert.equal((await sheaf('put', '-r', join(local, 'one.txt'), join(local, 'tree'), 'Attic')).code, 0);
  assert.deepEqual(
    [await text(source, 'one.txt'), await text(source, 'tree/deep/two.txt'), await text(source, 'tree/empty.txt')],
    ['one', 'two', ''],
  );
  const back = join(local, 'back');
  await mkdir(back);
  assert.equal((await sheaf('get', '-r', 'Attic/tree', back)).code, 0);
  assert.equal(await text(back, 'tree/deep/two.txt'), 'two');
  assert.equal((await stat(join(back, 'tree/deep/two.txt'))).mtime.toISOString(), '2026-01-02T03:04:05.000Z');
  assert.equal((await sheaf('get', 'Attic/one.txt', '-')).out, 'one');
  assert.deepEqual(await readdir(join(back, 'tree')), ['deep', 'empty.txt']);
});

test('nothing is overwritten without an explicit option, neither locally nor on the server', async (t) => {
  const { sheaf, source, local, put, text } = await setting(t);
  await put(local, { 'a.txt': 'mine' });
  await put(source, { 'a.txt': 'theirs' });
  const file = join(local, 'a.txt');
  const refused = await sheaf('put', file, 'Attic');
  assert.deepEqual([refused.code, refused.err], [1, 'There is already an item named "a.txt".\n']);
  assert.equal((await sheaf('get', 'Attic/a.txt', local)).code, 1);
  assert.deepEqual([await text(source, 'a.txt'), await text(local, 'a.txt')], ['theirs', 'mine']);
  assert.equal((await sheaf('put', '--rename', file, 'Attic')).code, 0);
  assert.equal((await readdir(source)).length, 2);
  assert.equal((await sheaf('put', '--replace', file, 'Attic')).code, 0);
  assert.equal(await text(source, 'a.txt'), 'mine');
  await put(source, { 'a.txt': 'newer' });
  assert.equal((await sheaf('get', '--replace', 'Attic/a.txt', local)).code, 0);
  assert.deepEqual([await text(local, 'a.txt'), await readdir(local)], ['newer', ['a.txt']]);
});

test('items are copied, renamed, moved, created and deleted', async (t) => {
  const { sheaf, source, put, text } = await setting(t);
  await put(source, { 'a/one.txt': 'one', 'a/b/two.txt': 'two' });
  const done = async (...args: readonly string[]): Promise<void> => {
    const { code, err } = await sheaf(...args);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
  };
  await done('mkdir', '-p', 'Attic/x/y');
  await done('cp', 'Attic/a/one.txt', 'Attic/x');
  await done('cp', '-r', 'Attic/a', 'Attic/x/copy');
  await done('mv', 'Attic/a/one.txt', 'Attic/a/first.txt');
  await done('mv', 'Attic/a/b', 'Attic/x/y');
  await done('rm', '-r', 'Attic/x/copy/b');
  const all = (await readdir(source, { recursive: true })).toSorted();
  const isBinned = (path: string): boolean => path.split('/')[0] === '.sheaf-bin';
  assert.equal(all.filter((path) => isBinned(path) && path.endsWith('/two.txt')).length, 1, 'what was deleted lies in the bin');
  assert.deepEqual(
    all.filter((path) => !isBinned(path)),
    ['a', 'a/first.txt', 'x', 'x/copy', 'x/copy/one.txt', 'x/one.txt', 'x/y', 'x/y/b', 'x/y/b/two.txt'],
  );
  assert.deepEqual([await text(source, 'a/first.txt'), await text(source, 'x/y/b/two.txt')], ['one', 'two']);
  assert.equal((await sheaf('mkdir', 'Attic/x')).err, 'There is already an item named "x".\n');
});

test('a command that would lose or mix up files is refused', async (t) => {
  const { sheaf, source, put } = await setting(t);
  await put(source, { 'a/one.txt': 'one', 'b.txt': 'b' });
  for (const [args, code] of [
    [['rm', 'Attic/a'], 2],
    [['rm', '-r', 'Attic'], 2],
    [['mv', 'Attic/a', 'Attic/a/inside'], 1],
    [['cp', '-r', 'Attic/a', 'Attic/a'], 1],
    [['mv', 'Attic/b.txt', 'Attic/b.txt'], 1],
    [['cp', 'Attic/b.txt', 'Attic/a/one.txt'], 1],
    [['get', 'Attic/a'], 2],
    [['put', '--replace', '--rename', source, 'Attic'], 2],
  ] as const)
    assert.equal((await sheaf(...args)).code, code, args.join(' '));
  assert.deepEqual((await readdir(source, { recursive: true })).toSorted(), ['a', 'a/one.txt', 'b.txt']);
});

test('a public link is printed, with its password from standard input', async (t) => {
  const { sheaf, sheafWith, source, put, url } = await setting(t);
  await put(source, { 'a.txt': 'a' });
  const { code, out } = await sheafWith('open sesame\n', 'share', '--expires', '7d', '--password', 'Attic/a.txt');
  assert.equal(code, 0);
  const id = new RegExp(`^${url}/s/(\\w+)\n$`).exec(out)?.[1];
  const opened = await fetch(`${url}/rest/weblink/open`, {
    method: 'POST',
    body: new URLSearchParams({ weblinkId: id ?? '', password: 'open sesame' }),
  });
  assert.equal(((await opened.json()) as { data: { name: string } }).data.name, 'a.txt');
  assert.equal((await sheaf('share', '--expires', 'tomorrow', 'Attic/a.txt')).code, 2);
});

test('an invalid command line exits with code 2 and says so, and help names every command', async (t) => {
  const { sheaf } = await setting(t, { signedIn: false });
  for (const args of [['nonsense'], ['ls', '--nonsense'], ['mkdir'], ['sign-in', 'http://['], ['toString']])
    assert.equal((await sheaf(...args)).code, 2, args.join(' '));
  const { code, out } = await sheaf('--help');
  assert.equal(code, 0);
  for (const name of ['login', 'sign-in', 'sign-out', 'links', 'ls', 'get', 'put', 'cp', 'mv', 'rm', 'mkdir', 'share', 'backup', 'sync'])
    assert.match(out, new RegExp(`^sheaf ${name}\\b`, 'm'));
  assert.match((await sheaf('backup', '--help')).out, /^sheaf backup .*--dry-run/);
});

test('an unreachable server is reported as such', async (t) => {
  const { sheafWith } = await setting(t, { signedIn: false });
  const { code, err } = await sheafWith('code\n', 'sign-in', 'http://127.0.0.1:1');
  assert.equal(code, 1);
  assert.match(err, /Cannot connect to http:\/\/127\.0\.0\.1:1: /);
});
