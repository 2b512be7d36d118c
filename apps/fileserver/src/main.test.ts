import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually, startFileServer } from '@sheaf/testbed';
import { ConfigError, readConfig } from './config.ts';

async function setting(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'sheaf-main-'));
  t.after(() => rm(dir, { recursive: true }));
  await mkdir(join(dir, 'export'));
  await writeFile(join(dir, 'password'), 'swordfish');
  const start = (...args: readonly string[]) => {
    const { promise, resolve } = Promise.withResolvers<{ code: number | null; out: string; err: string }>();
    const child = execFile(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
    return promise;
  };
  return { dir, start };
}

test('--help names every setting', async (t) => {
  const { start } = await setting(t);
  const { code, out } = await start('--help');
  assert.equal(code, 0);
  for (const option of ['root', 'host', 'port', 'user', 'password-file', 'state', 'tls-cert', 'tls-key', 'read-only', 'make-connection'])
    assert.match(out, new RegExp(`--${option} `));
});

test('only a hash of a connection JSON is stored, readable by its owner only, and a revoked one is deleted', async (t) => {
  const { dir, start } = await setting(t);
  const state = join(dir, 'state', 'keys.json');
  const { id, secret } = JSON.parse((await start('--state', state, '--make-connection')).out) as {
    readonly id: string;
    readonly secret: string;
  };
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.ok(!(await readFile(state, 'utf8')).includes(secret));
  assert.equal((await stat(state)).mode & 0o777, 0o600);
  assert.match((await start('--state', state, '--list-connections')).out, new RegExp(`^${id} `));
  assert.equal((await start('--state', state, '--revoke-connection', id)).code, 0);
  assert.equal((await start('--state', state, '--list-connections')).out, '');
  const again = await start('--state', state, '--revoke-connection', id);
  assert.deepEqual([again.code, again.err], [1, `there is no connection JSON with the id ${id}\n`]);
});

test('a server whose password or keys lie in the exported folder does not start', async (t) => {
  const { dir, start } = await setting(t);
  await writeFile(join(dir, 'export', 'password'), 'swordfish');
  await symlink(join(dir, 'export'), join(dir, 'alias'));
  const root = ['--root', join(dir, 'export'), '--port', '0'];
  const outside = ['--state', join(dir, 'keys.json')];
  for (const folder of ['export', 'alias']) {
    const { code, err } = await start(...root, ...outside, '--user', 'mara', '--password-file', join(dir, folder, 'password'));
    assert.deepEqual([code, /must not lie in the exported folder/.test(err)], [1, true], err);
  }
  for (const folder of ['export', 'alias']) {
    const { code, err } = await start(...root, '--state', join(dir, folder, 'not yet', 'keys.json'));
    assert.deepEqual([code, /must not lie in the exported folder/.test(err)], [1, true], err);
  }
});

test('an invalid setting stops the start with a sentence', () => {
  const login = ['--user', 'mara', '--password-file', '/p'];
  for (const args of [
    [],
    login,
    ['--root', '/x', '--user', 'mara'],
    ['--root', '/x', '--port', 'x'],
    ['--root', '/x', '--tls-cert', '/c'],
    ['--nonsense'],
  ])
    assert.throws(() => readConfig(args, {}), ConfigError, args.join(' '));
  assert.throws(() => readConfig(['--root', '/x', '--user', 'a:b', '--password-file', '/p'], {}), ConfigError);
});

test('an id that begins with a hyphen can be revoked', () => {
  for (const id of ['-aB3', '--aB3', 'aB3'])
    for (const args of [
      ['--revoke-connection', id, '--state', '/s'],
      ['--state', '/s', `--revoke-connection=${id}`],
    ])
      assert.deepEqual(readConfig(args, {}).task, { revoke: id }, args.join(' '));
  assert.throws(() => readConfig(['--revoke-connection'], {}), ConfigError);
});

test('settings are read from the environment too; an option takes precedence', () => {
  const environment = { SHEAF_FILESERVER_ROOT: '/from-environment', SHEAF_FILESERVER_PORT: '1234', SHEAF_FILESERVER_READ_ONLY: 'true' };
  const { root, port, readOnly } = readConfig(['--port', '4321'], environment);
  assert.deepEqual([root, port, readOnly], ['/from-environment', 4321, true]);
});

test('SIGTERM lets running downloads finish and accepts no new one', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  const bytes = Buffer.alloc(64 * 1024 * 1024, 'x');
  await writeFile(join(server.root, 'big'), bytes);
  const authorization = `Basic ${Buffer.from(`${server.user}:${server.password}`).toString('base64')}`;
  const response = await fetch(`${server.url}/sheaf/v1/content?path=/big`, { headers: { authorization } });
  process.kill(server.pid, 'SIGTERM');
  await eventually(async () => {
    const attempt = await Promise.allSettled([fetch(`${server.url}/sheaf/v1/info`, { headers: { authorization, connection: 'close' } })]);
    return attempt[0]?.status === 'rejected';
  }, 'new connections are refused');
  assert.equal((await response.arrayBuffer()).byteLength, bytes.length);
});
