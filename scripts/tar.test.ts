import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tarOf } from './tar.ts';
import { cliTarget } from './targets.ts';

test('what was packed comes out of tar as it was', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-tar-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = { 'package/a.txt': 'a', 'package/blocks.txt': 'ü'.repeat(512), 'package/empty': '' };
  writeFileSync(join(folder, 'x.tgz'), gzipSync(tarOf(files)));
  execFileSync('tar', ['--extract', '--gzip', '--file', 'x.tgz'], { cwd: folder });
  for (const [path, text] of Object.entries(files)) assert.equal(readFileSync(join(folder, path), 'utf8'), text);
});

test('the command-line client is packed into one file that runs alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-packed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await cliTarget(join(import.meta.dirname, '..'), folder).build();
  execFileSync('tar', ['--extract', '--gzip', '--file', 'sheaf-cli.tgz'], { cwd: folder });
  assert.match(execFileSync(join(folder, 'package/sheaf.mjs'), ['--help'], { cwd: '/', encoding: 'utf8' }), /^sheaf sync /m);
});
