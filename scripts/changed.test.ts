import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { changedFiles, reachedBy } from './changed.ts';

function project(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'sheaf-changed-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const files = {
  'packages/contract/package.json': '{ "name": "@sheaf/contract" }',
  'packages/contract/src/index.ts': "export * from './calls/links.ts';",
  'packages/contract/src/calls/links.ts': '',
  'apps/server/package.json': '{ "name": "@sheaf/server" }',
  'apps/server/src/links/service.ts': "import { link } from '@sheaf/contract';",
  'apps/server/src/links/service.test.ts': "import { serve } from './service.ts';",
  'apps/server/src/worker.test.ts': "const worker = join(import.meta.dirname, './worker.ts');",
  'apps/server/src/worker.ts': '',
  'apps/server/src/ids.test.ts': "import { newId } from '#/ids.ts';",
  'apps/server/src/ids.ts': '',
};
const allTests = Object.keys(files).filter((path) => path.endsWith('.test.ts'));

test('a change reaches the tests that load it, over packages and as programs of their own', (t) => {
  const root = project(t, files);
  const reached = (...changed: string[]): string[] => allTests.filter(reachedBy(root, changed));
  assert.deepEqual(reached('packages/contract/src/calls/links.ts'), ['apps/server/src/links/service.test.ts']);
  assert.deepEqual(reached('apps/server/src/worker.ts'), ['apps/server/src/worker.test.ts']);
  assert.deepEqual(reached('apps/server/src/ids.ts'), ['apps/server/src/ids.test.ts']);
  assert.deepEqual(reached('apps/server/src/ids.test.ts'), ['apps/server/src/ids.test.ts']);
  assert.deepEqual(reached('docs/operating.md'), []);
  assert.deepEqual(reached('apps/server/package.json'), allTests);
});

test('changes are taken from commits since main, the working tree and new files', (t) => {
  const root = project(t, files);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: root });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  assert.deepEqual(changedFiles(root), []);
  git('checkout', '--quiet', '-b', 'work');
  writeFileSync(join(root, 'apps/server/src/ids.ts'), 'export const newId = 1;');
  git('commit', '--quiet', '--all', '--message', 'second');
  writeFileSync(join(root, 'apps/server/src/worker.ts'), '// changed');
  writeFileSync(join(root, 'apps/server/src/new.ts'), '');
  assert.deepEqual(changedFiles(root).toSorted(), ['apps/server/src/ids.ts', 'apps/server/src/new.ts', 'apps/server/src/worker.ts']);
});
