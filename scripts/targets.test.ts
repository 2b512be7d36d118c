import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNpm } from './npm.ts';
import { cliTarget } from './targets.ts';

test('npm installs the packed command-line client, and its one file runs alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-packed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const built = join(folder, 'built');
  await cliTarget(join(import.meta.dirname, '..'), built).build();
  const contents = execFileSync('tar', ['--list', '--gzip', '--file', 'sheaf-cli.tgz'], { cwd: built, encoding: 'utf8' });
  assert.deepEqual(contents.trim().split('\n').toSorted(), ['package/package.json', 'package/sheaf.mjs']);
  const home = mkdtempSync(join(folder, 'home-'));
  writeFileSync(join(home, 'package.json'), '{}');
  runNpm(home, 'install', '--offline', join(built, 'sheaf-cli.tgz'));
  assert.match(execFileSync(join(home, 'node_modules/.bin/sheaf'), ['--help'], { cwd: '/', encoding: 'utf8' }), /^sheaf sync /m);
});
