import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type ZipEntry, writeZip, zipLength } from './zip.ts';

const run = promisify(execFile);

test('the zip has the announced length, and other programs read it', async (t) => {
  const entry = (path: string, text: string): ZipEntry => ({
    path,
    size: Buffer.byteLength(text),
    modified: 1_800_000_000,
    async *read() {
      const bytes = new TextEncoder().encode(text);
      yield bytes.subarray(0, 2);
      yield bytes.subarray(2);
    },
  });
  const entries = [entry('Äpfel/', ''), entry('Äpfel/grün.txt', 'the text of it'), entry('empty', '')];
  const parts: Uint8Array[] = [];
  for await (const part of writeZip(entries)) parts.push(part);
  const zip = Buffer.concat(parts);
  assert.equal(zip.length, zipLength(entries));
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-zip-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'a.zip'), zip);
  const program =
    'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint([(n,z.read(n)) for n in z.namelist()])';
  const { stdout } = await run('python3', ['-c', program, join(folder, 'a.zip')], { env: { PYTHONUTF8: '1' } });
  assert.equal(stdout.trim(), "[('Äpfel/', b''), ('Äpfel/grün.txt', b'the text of it'), ('empty', b'')]");

  const short = { ...entry('short', 'abc'), size: 4 };
  await assert.rejects(async () => {
    for await (const _ of writeZip([short])) continue;
  }, /another size/);
});
