import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openJournal } from './journal.ts';

async function freshFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-journal-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'job.jsonl');
}
/** Counts the file descriptors of this process for that path. */
async function timesOpen(file: string): Promise<number> {
  const links = await Promise.allSettled((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`)));
  return links.filter((link) => link.status === 'fulfilled' && link.value === file).length;
}

test('concurrent writers share one open file, and nothing is lost', async (t) => {
  const file = await freshFile(t);
  const journal = await openJournal(file);
  await Promise.all(Array.from({ length: 50 }, (_, index) => journal.note(`${index}`, { size: index, modified: 1 })));
  if (process.platform === 'linux') assert.equal(await timesOpen(file), 1);
  assert.equal((await openJournal(file)).copied.size, 50);
  await journal.close();
  assert.equal((await openJournal(file)).copied.size, 50);
});

test('an incomplete line of a killed run damages neither the lines before it nor the next one', async (t) => {
  const file = await freshFile(t);
  await writeFile(file, '{"path":"a","size":1,"modified":1}\n{"path":"torn');
  const journal = await openJournal(file);
  assert.deepEqual([...journal.copied.keys()], ['a']);
  await journal.note('b', { size: 2, modified: 2 });
  assert.deepEqual([...(await openJournal(file)).copied.keys()], ['a', 'b']);
  await journal.close();
  assert.equal((await readFile(file, 'utf8')).split('\n').length, 3);
});
