import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { removeTree } from './removal.ts';

const never = new AbortController().signal;

/** A folder with that many files. */
async function folderOf(t: TestContext, files: number) {
  const parent = await mkdtemp(join(tmpdir(), 'sheaf-removal-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'folder');
  await mkdir(folder);
  for (let index = 0; index < files; index += 1) await writeFile(join(folder, String(index)), '');
  return { parent, folder };
}

test('a folder is deleted completely while somebody else removes items from it', async (t) => {
  const { parent, folder } = await folderOf(t, 400);
  const takeOut = async (): Promise<void> => {
    for (const name of (await readdir(folder)).reverse()) await rm(join(folder, name), { force: true });
  };
  await Promise.all([takeOut(), removeTree(Buffer.from(folder), never)]);
  assert.deepEqual(await readdir(parent), []);
});

test('a folder that others keep filling is refused as in use, not as a taken name', async (t) => {
  const { folder } = await folderOf(t, 10);
  const stop = new AbortController();
  const fill = async (name: string): Promise<void> => {
    while (!stop.signal.aborted) await writeFile(join(folder, name), '');
  };
  const filling = Promise.all(['a', 'b', 'c', 'd'].map(fill)).catch((error: unknown) => error);
  const outcome = await removeTree(Buffer.from(folder), never).catch((error: unknown) => error);
  stop.abort();
  await filling;
  assert.ok(outcome === undefined || (outcome instanceof Error && 'code' in outcome && outcome.code === 'forbidden'), String(outcome));
});
