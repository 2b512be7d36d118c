import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { emailSignup } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { spawnServer } from './testing/server-process.ts';

test('the server says when it is ready, and on SIGTERM finishes running requests and exits with 0', async (t) => {
  const server = await spawnServer(t);
  await eventually(() => server.isReady(), 'ready');
  assert.match(server.output(), /Sheaf is ready/);
  const body = new URLSearchParams({ email: 'mara@example.org', password: 'correct horse battery' });
  const underWay = fetch(server.url + emailSignup.path, { method: 'POST', body });
  await eventually(() => fetch(`${server.url}/metrics`).then(({ ok }) => ok), 'the request has been sent');
  server.child.kill('SIGTERM');
  assert.equal((await underWay).status, 200);
  assert.equal(await server.ended(), 0);
  assert.equal(await server.isReady(), false);
});

/** Those of the paths that others may read or write; without files that have gone since they were listed, such as drafts of mails. */
async function openTo(folder: string, paths: readonly string[]): Promise<string[]> {
  const open: string[] = [];
  for (const path of ['.', ...paths]) {
    const { mode } = await stat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { mode: 0 };
      throw error;
    });
    if ((mode & 0o077) !== 0) open.push(path);
  }
  return open;
}

test('everything in the data folder is readable only by the user who runs the server, including files of an earlier version', async (t) => {
  const before = process.umask(0o022);
  t.after(() => process.umask(before));
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-open-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  await mkdir(join(dataDir, 'thumbnails', 'ab'), { recursive: true });
  await writeFile(join(dataDir, 'thumbnails', 'ab', 'ab.webp'), 'a picture');
  const server = await spawnServer(t, { settings: { SHEAF_DATA_DIR: dataDir } });
  await eventually(() => server.isReady(), 'ready');
  const body = new URLSearchParams({ email: 'mara@example.org', password: 'correct horse battery' });
  assert.equal((await fetch(server.url + emailSignup.path, { method: 'POST', body })).status, 200);
  const mails = () => readdir(join(dataDir, 'outbox')).catch(() => []);
  await eventually(async () => (await mails()).length > 0, 'a mail has been written');
  const running = await readdir(dataDir, { recursive: true });
  assert.deepEqual(await openTo(dataDir, running), []);
  assert.ok(running.some((path) => path.endsWith('-wal')));
  server.child.kill('SIGTERM');
  assert.equal(await server.ended(), 0);
  const kept = await readdir(dataDir, { recursive: true });
  assert.deepEqual(await openTo(dataDir, kept), []);
  assert.ok(kept.length > 4);
});

test('invalid settings end the start with a message for each', async (t) => {
  const server = await spawnServer(t, { settings: { SHEAF_PORT: 'http', SHEAF_BILLING: 'free' } });
  assert.equal(await server.ended(), 1);
  assert.match(server.output(), /SHEAF_PORT must be/);
  assert.match(server.output(), /SHEAF_BILLING must be/);
});

test('a port that is taken ends the start with 1', async (t) => {
  const first = await spawnServer(t);
  await eventually(() => first.isReady(), 'ready');
  const second = await spawnServer(t, { settings: { SHEAF_PORT: new URL(first.url).port } });
  assert.equal(await second.ended(), 1);
  assert.match(second.output(), /EADDRINUSE/);
});

test('--help lists the settings and starts nothing', async (t) => {
  const server = await spawnServer(t, { args: ['--help'] });
  assert.equal(await server.ended(), 0);
  assert.match(server.output(), /SHEAF_DATA_DIR/);
});
