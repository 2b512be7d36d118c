import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { holdJob } from './lock.ts';

async function lockFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-lock-'));
  t.after(() => rm(folder, { recursive: true }));
  return join(folder, 'job.lock');
}

test('a lock is held until it is released', async (t) => {
  const file = await lockFile(t);
  const letGo = await holdJob(file);
  const [, machine] = (await readFile(file, 'utf8')).split('\n');
  // A lock as of another running process.
  await writeFile(file, `${process.ppid}\n${machine}`);
  await assert.rejects(holdJob(file), /copied by another run already/);
  await letGo();
  await (
    await holdJob(file)
  )();
});

test('a lock from before a reboot is ignored, even if another process now has its id', async (t) => {
  const file = await lockFile(t);
  await writeFile(file, `${process.ppid}\n${hostname()} 00000000-0000-0000-0000-000000000000`);
  const long = new Date(Date.now() - 600_000);
  await utimes(file, long, long);
  await (
    await holdJob(file)
  )();
});

test('a lock of a killed container is ignored, although each container uses the same process id', async (t) => {
  const file = await lockFile(t);
  const letGo = await holdJob(file);
  await (
    await holdJob(file)
  )();
  await letGo();
});

test('a lock of another machine is respected while it is refreshed', async (t) => {
  const file = await lockFile(t);
  await writeFile(file, `${process.pid}\nelsewhere`);
  await assert.rejects(holdJob(file), /copied by another run already/);
});
