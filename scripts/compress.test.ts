import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressFiles } from './compress.ts';

test('text files get a compressed copy in both codings, pictures and short files do not', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-compress-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  const script = 'const text = 1;\n'.repeat(200);
  await writeFile(join(folder, 'assets/main.js'), script);
  await writeFile(join(folder, 'short.css'), 'a{}');
  await writeFile(join(folder, 'picture.png'), Buffer.alloc(5000));
  await compressFiles(folder);
  assert.deepEqual((await readdir(folder, { recursive: true })).toSorted(), [
    'assets',
    'assets/main.js',
    'assets/main.js.br',
    'assets/main.js.gz',
    'picture.png',
    'short.css',
  ]);
  assert.equal(brotliDecompressSync(await readFile(join(folder, 'assets/main.js.br'))).toString(), script);
  assert.equal(gunzipSync(await readFile(join(folder, 'assets/main.js.gz'))).toString(), script);
});
