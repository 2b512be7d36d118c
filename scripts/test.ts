/**
 * `npm test`: everything, in the order in which failures are cheapest. `npm test -- unit api` runs only those steps.
 * A suite that cannot run here is printed with its reason and counts as failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installMissing, vsftpdFolder } from './debian-packages.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const node = process.execPath;
/** Where a step's tests write a line for each failure. */
const reports = mkdtempSync(join(tmpdir(), 'sheaf-test-'));
/** Where Node keeps what it has compiled: hundreds of short processes load the same modules. */
const compiled = join(reports, 'compiled');
const reportOf = (step: string): string => join(reports, step);
const tests = (...patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).sort();
const nodeTest = (step: string, files: readonly string[], concurrency: number): string[] => [
  node,
  '--test',
  `--test-concurrency=${concurrency}`,
  '--test-reporter=dot',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/failures-reporter.ts',
  `--test-reporter-destination=${reportOf(step)}`,
  ...files,
];

interface Step {
  readonly name: string;
  /** Needs the Debian packages. */
  readonly servers?: true;
  readonly commands: () => readonly (readonly string[])[];
}

const connectorTests = (): string[] => tests('packages/connectors/src/providers/**/*.test.ts');
const steps: readonly Step[] = [
  { name: 'format', commands: () => [[bin('oxfmt'), '--check']] },
  { name: 'lint', commands: () => [[bin('oxlint'), '--deny-warnings']] },
  {
    name: 'types',
    commands: () => [
      [bin('tsc'), '-p', '.'],
      [bin('tsc'), '-p', 'apps/web'],
      [bin('tsc'), '-p', 'e2e'],
    ],
  },
  { name: 'unused', commands: () => [[bin('knip')]] },
  { name: 'architecture', commands: () => [nodeTest('architecture', tests('*.test.ts', 'scripts/*.test.ts'), 1)] },
  { name: 'ledger', commands: () => [[node, 'scripts/ledger.ts']] },
  {
    name: 'unit',
    commands: () => [
      nodeTest(
        'unit',
        tests(
          'packages/contract/src/**/*.test.ts',
          'packages/connectors/src/{core,kit,layers}/**/*.test.ts',
          'packages/connectors/src/*.test.ts',
          'packages/testbed/src/**/*.test.ts',
          'apps/web/src/**/*.test.ts',
        ),
        2,
      ),
    ],
  },
  { name: 'conformance', servers: true, commands: () => [nodeTest('conformance', connectorTests(), 3)] },
  { name: 'api', servers: true, commands: () => [nodeTest('api', tests('apps/{server,fileserver,cli}/src/**/*.test.ts'), 3)] },
  {
    name: 'api-postgres',
    servers: true,
    commands: () => [[node, 'scripts/postgres-tests.ts', ...nodeTest('api-postgres', tests('apps/server/src/**/*.test.ts'), 3)]],
  },
  {
    name: 'browser',
    servers: true,
    commands: () => [
      [node, 'scripts/start.ts', '--build-only'],
      [bin('playwright'), 'test', '--config', 'e2e/playwright.config.ts'],
    ],
  },
];

function run(command: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** What a step's tests said of failures, for a reader who sees only the end of the output. */
function printFailures(step: string): void {
  const path = reportOf(step);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  if (lines.length === 0) return;
  console.log(`\n${step}:`);
  for (const line of lines.slice(0, 12)) console.log(`  ${line.length > 180 ? `${line.slice(0, 179)}…` : line}`);
  if (lines.length > 12) console.log(`  and ${lines.length - 12} more`);
}

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(', ')}; there are ${steps.map((step) => step.name).join(', ')}`);
const chosen = wanted.length === 0 ? steps : steps.filter((step) => wanted.includes(step.name));
const missing = chosen.some((step) => step.servers) ? installMissing() : [];

const results: { name: string; passed: boolean; seconds: number; note: string }[] = [];
for (const step of chosen) {
  console.log(`\n── ${step.name}`);
  const started = performance.now();
  let passed = true;
  let note = '';
  if (step.servers && missing.length > 0) {
    passed = false;
    note = `not run, because these programs are missing: ${missing.join(', ')}`;
  } else {
    const path = `${join(vsftpdFolder, 'usr/sbin')}:${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
    for (const command of step.commands())
      passed = passed && (await run(command, { PATH: path, SHEAF_TEST_REPORT: reportOf(step.name), NODE_COMPILE_CACHE: compiled }));
  }
  results.push({ name: step.name, passed, seconds: (performance.now() - started) / 1000, note });
}

console.log('');
for (const { name, passed, seconds, note } of results)
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s  ${note}`);
const failed = results.filter((result) => !result.passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
for (const { name } of results) printFailures(name);
rmSync(reports, { recursive: true });
if (failed > 0) process.exitCode = 1;
