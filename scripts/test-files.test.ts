import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { groupsOf, sharesProcess } from './test-groups.ts';

const root = join(import.meta.dirname, '..');

/** Runs test files with these bodies together, and gives the exit code and what was reported. */
function run(t: TestContext, bodies: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-test-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(bodies).map(([name, body]) => {
    const file = join(folder, `${name}.test.ts`);
    writeFileSync(file, `import { after, test } from 'node:test';\n${body}\n`);
    return relative(root, file);
  });
  const report = join(folder, 'report');
  // Without the mark by which Node tells a test process that another runner reads its output.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test-files.ts', '--timeout=5', `--report=${report}`, ...files], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, report: existsSync(report) ? readFileSync(report, 'utf8') : '' };
}

const fine = "test('fine', () => {});";

test('test files that share a process pass together', (t) => {
  const { status, report } = run(t, { one: fine, other: fine });
  assert.deepEqual([status, report], [0, '']);
});

const faults = {
  'a test that fails': ["test('wrong', () => { throw new Error('told why'); });", /one\.test\.ts wrong: told why\n/],
  'a file that throws after it has declared a test': [`${fine} throw new Error('told why');`, /told why\n/],
  'a file that cannot be loaded': ["import './nothing.ts';", /nothing\.ts/],
  'a test that is skipped': ["test('later', { skip: 'told why' }, () => {});", /skipped .*one\.test\.ts later: told why\n/],
  'a test that is still to be written': ["test('later', { todo: true }, () => {});", /skipped .*one\.test\.ts later: without a reason\n/],
  'a hook that fails after all tests': [`${fine} after(() => { throw new Error('told why'); });`, /told why\n/],
  'a rejection that nobody handles': [`${fine} void Promise.reject(new Error('told why'));`, /told why\n|the process ended/],
  'a test that never ends': ["test('waits', () => new Promise(() => {}));", /one\.test\.ts/],
  'a process that is killed': ["test('ends', () => { process.kill(process.pid, 'SIGKILL'); });", /the process ended with SIGKILL/],
  'a process that ends itself': ["test('ends', () => { process.exitCode = 3; });", /one\.test\.ts|the process ended with 3/],
} as const;

for (const [fault, [body, expected]] of Object.entries(faults)) {
  test(`${fault} makes the run fail and is reported, whatever shares the process`, (t) => {
    const { status, report } = run(t, { another: fine, one: body, other: fine });
    assert.equal(status, 1, report);
    assert.match(report, expected);
  });
}

test('what others would notice has a process for itself and runs first', () => {
  const alone = [
    "import { spawn } from 'node:child_process';",
    'const server = await startOpenssh();',
    'assert.ok(process.memoryUsage().rss < limit);',
    "process.env['HOME'] = folder;",
    "mock.timers.enable({ apis: ['Date'] });",
    'beforeEach(() => {});',
    '  globalThis.fetch = answer;',
    'const signal = AbortSignal.timeout(60_000);',
    'const ask = { signal: AbortSignal.timeout(60_000) };',
  ];
  const shared = [
    "test('a', (t) => t.mock.timers.enable({ apis: ['Date'] }));",
    "const count = Number(process.env['COUNT'] ?? 3);",
    'const ask = () => ({ signal: AbortSignal.timeout(20_000) });',
    'const app = await testApp(t);\n'.padStart(40),
  ];
  assert.deepEqual(alone.filter(sharesProcess), []);
  assert.deepEqual(
    shared.filter((text) => !sharesProcess(text)),
    [],
  );
  const files = Array.from({ length: 12 }, (_, index) => String(index));
  assert.deepEqual(
    groupsOf(files, (file) => file !== '11').map(({ length }) => length),
    [1, 10, 1],
  );
});
