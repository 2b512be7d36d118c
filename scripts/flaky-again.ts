/**
 * After the browser tests: a test that passed only when tried again must now pass five times in a row, or the step fails. It is named in the output
 * in any case: its cause is to be mended.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const times = 5;
const root = join(import.meta.dirname, '..');
const report = process.env['SHEAF_TEST_REPORT'];
if (report === undefined) throw new Error('SHEAF_TEST_REPORT names the file in which the browser tests name flaky ones');
// Without a failure there is no file.
const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n') : [];
const flaky = lines.flatMap((line) => {
  const [, project, place] = /^flaky \[(\w+)\] (\S+:\d+) /.exec(line) ?? [];
  return project === undefined || place === undefined ? [] : [{ project, place }];
});

for (const { project, place } of flaky) {
  console.log(`\n${place} [${project}] passed only when tried again: ${times} times in a row now`);
  const options = ['--config', 'e2e/playwright.config.ts', '--retries=0', '--workers=1', `--repeat-each=${times}`, `--project=${project}`];
  const { status } = spawnSync(join(root, 'node_modules/.bin/playwright'), ['test', ...options, place], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
