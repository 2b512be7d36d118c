import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, processesAt, tempDir, untilNothingIsLeft } from '@sheaf/testbed';
import { test } from '../fixtures/test.ts';

const root = join(import.meta.dirname, '../..');

test('a killed run of the browser tests leaves no Sheaf, browser or file behind', async () => {
  test.setTimeout(120_000);
  const { path, remove } = await tempDir('killed');
  await chmod(path, 0o1777);
  const { PATH, NODE_COMPILE_CACHE, PWTEST_CACHE_DIR = join(root, '.cache/playwright'), SHEAF_E2E_ROOT } = process.env;
  const runner = spawn(
    process.execPath,
    [join(root, 'node_modules/.bin/playwright'), 'test', '--config', 'e2e/playwright.config.ts', '--project=wide', 'first-use'],
    {
      cwd: root,
      env: { PATH, NODE_COMPILE_CACHE, PWTEST_CACHE_DIR, SHEAF_E2E_ROOT, TMPDIR: path },
      stdio: 'ignore',
    },
  );
  const runs = (program: RegExp) => processesAt(path).some((line) => program.test(line));
  await eventually(() => runs(/main\.js/) && runs(/user-data-dir/), 'Sheaf and the browser run', 90_000);
  runner.kill('SIGKILL');
  await untilNothingIsLeft(path);
  await remove();
});
