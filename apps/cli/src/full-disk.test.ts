import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mountSmallDisk, mountingTests, run } from '@sheaf/testbed';
import { openJournal } from './copying/journal.ts';
import { LocalDiskFull } from './failure.ts';
import { setting } from './testing/setting.ts';

async function smallDisk(t: TestContext) {
  const disk = await mountSmallDisk(1 << 20);
  t.after(() => disk.stop());
  return disk;
}
const big = 'x'.repeat(3 << 20);

await mountingTests(import.meta.filename, () => {
  test('a download that does not fit on the disk says so, and leaves nothing behind', async (t) => {
    const { folder } = await smallDisk(t);
    const { sheaf, source, put } = await setting(t);
    await put(source, { 'big.bin': big });
    const { code, err } = await sheaf('get', 'Attic/big.bin', folder);
    assert.deepEqual([code, err.trim()], [1, `There is no room left on this computer's disk for ${join(folder, 'big.bin')}.`]);
    assert.deepEqual(await readdir(folder), []);
  });

  test('a download that would replace a file leaves the old one intact when the disk is full', async (t) => {
    const disk = await smallDisk(t);
    const { sheaf, source, put, text } = await setting(t);
    await put(source, { 'big.bin': big });
    await put(disk.folder, { 'big.bin': 'the old one' });
    assert.equal((await sheaf('get', '--replace', 'Attic/big.bin', disk.folder)).code, 1);
    assert.equal(await text(disk.folder, 'big.bin'), 'the old one');
    assert.deepEqual(await readdir(disk.folder), ['big.bin']);
  });

  test('a folder download stops at the first file that does not fit; earlier files stay', async (t) => {
    const { folder } = await smallDisk(t);
    const { sheaf, source, put } = await setting(t);
    await put(source, { 'all/1.txt': 'small', 'all/2.bin': big, 'all/3.bin': big });
    const { code, err } = await sheaf('get', '-r', 'Attic/all', folder);
    assert.deepEqual([code, err.trim().split('\n').length], [1, 1], err);
    assert.match(err, /no room left on this computer's disk for .*2\.bin/);
    assert.deepEqual(await readdir(join(folder, 'all')), ['1.txt']);
  });

  test('output to a full disk fails with one line', async (t) => {
    const { source, put, kept } = await setting(t);
    await put(source, { 'big.bin': big });
    const program = join(import.meta.dirname, 'main.ts');
    const told = run('sh', ['-c', `SHEAF_CLI_DIR=${kept} "$0" "$1" get Attic/big.bin - 2>&1 >/dev/full | cat`, process.execPath, program]);
    assert.equal((await told).trim(), "There is no room left on this computer's disk for the output.");
  });

  test('a journal on a full disk ends the job; once there is space, no record is lost', async (t) => {
    const disk = await smallDisk(t);
    const file = join(disk.folder, 'job.jsonl');
    const journal = await openJournal(file);
    await journal.note('before', { size: 1, modified: 1 });
    await disk.fill();
    const long = 'x'.repeat(8000);
    await assert.rejects(journal.note(long, { size: 1, modified: 1 }), LocalDiskFull);
    await assert.rejects(journal.close(), LocalDiskFull);
    assert.deepEqual((await readdir(disk.folder)).toSorted(), ['filler', 'job.jsonl']);
    await disk.free();
    await journal.note('after', { size: 2, modified: 2 });
    assert.deepEqual([...(await openJournal(file)).copied.keys()], ['before', 'after']);
    await journal.close();
  });
});
