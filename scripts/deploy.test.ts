import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = globSync(['Dockerfile', 'deploy/*/*'], { cwd: root });

test('the README of deploy names each file, and how it was tried', () => {
  const readme = read('deploy/README.md');
  for (const file of files) assert.ok(readme.includes(`\`${file.replace('deploy/', '')}\``), file);
});

test('every setting that the files for operation name exists', () => {
  const settings = read('docs/settings.md');
  // Of the example's own: the name of the site, and where Caddy finds Sheaf.
  const own = new Set(['SHEAF_DOMAIN', 'SHEAF_UPSTREAM']);
  let compared = 0;
  for (const file of files)
    for (const [name] of read(file).matchAll(/SHEAF_[A-Z0-9_]+/g)) {
      compared++;
      assert.ok(own.has(name) || settings.includes(`\`${name.replace(/_FILE$/, '')}\``), `${file} names ${name}`);
    }
  assert.ok(compared > 15);
});

interface Package {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
const packageAt = (folder: string): Package => JSON.parse(read(join(folder, 'package.json'))) as Package;

test('the image has the manifest of each workspace that the server needs, and copies only what exists or is built', () => {
  const steps = read('Dockerfile')
    .split('\n')
    .flatMap((line) => (line.startsWith('COPY ') ? [line.split(/\s+/).slice(1)] : []));
  const built = /^\/app\/(node_modules|apps\/(server|web|cli)\/dist)$/;
  for (const words of steps) {
    const [from, ...paths] = words[0]?.startsWith('--from=') ? words : ['', ...words];
    for (const source of paths.slice(0, -1)) {
      if (from !== '' && built.test(source)) continue;
      assert.ok(existsSync(join(root, source.replace(/^\/app\//, ''))), `the Dockerfile copies ${source}`);
    }
  }
  const copied = new Set(steps.flat().flatMap((path) => (path.endsWith('/package.json') && !path.startsWith('/') ? [dirname(path)] : [])));
  const folders = new Map(globSync(['packages/*', 'apps/*'], { cwd: root }).map((folder) => [packageAt(folder).name, folder]));
  const needed = new Set(['apps/server']);
  for (const folder of needed)
    for (const name of Object.keys(packageAt(folder).dependencies ?? {})) {
      const own = folders.get(name);
      if (own !== undefined) needed.add(own);
    }
  for (const folder of needed) assert.ok(copied.has(folder), `the Dockerfile copies no manifest of ${folder}`);
});

test('systemd finds nothing wrong with the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-units-'));
  try {
    // The example's folder, with a program that exists: systemd looks for it.
    const program = join(folder, 'opt/node_modules/node/bin/node');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '', { mode: 0o755 });
    const units = globSync('deploy/systemd/*', { cwd: root }).map((file) => {
      const unit = join(folder, basename(file));
      writeFileSync(unit, read(file).replaceAll('/opt/sheaf', join(folder, 'opt')));
      return unit;
    });
    assert.equal(units.length, 3);
    const { status, stderr, error } = spawnSync('/usr/bin/systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
    assert.equal(error, undefined);
    assert.deepEqual([status, stderr.trim()], [0, '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
