/** The steps of `npm test`: what each runs, on which test files, and what it needs. */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Needs } from './debian-packages.ts';

export const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const node = process.execPath;

export interface Step {
  readonly name: string;
  /** Which Debian packages it needs. */
  readonly needs?: Needs;
  /** Reads the sources as a whole and runs beside the other steps of its kind. */
  readonly isStatic?: true;
  /** The test files that the step runs, as paths from the root. A step without them cannot be narrowed. */
  readonly files?: readonly string[];
  /** The commands, run in order. `report` is the file that gets a line for each failed test. */
  readonly commands: (files: readonly string[], report: string) => readonly (readonly string[])[];
}

/** Most tests wait for servers and timers, so that a core serves more than one process at a time. */
const concurrency = Math.min(availableParallelism(), 8) * 2;

const tests = (...patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).sort();

/** Each test file in a process of its own. */
const oneByOne = (files: readonly string[], report: string, atOnce = concurrency): string[] => [
  node,
  '--test',
  `--test-concurrency=${atOnce}`,
  '--test-reporter=dot',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/failures-reporter.ts',
  `--test-reporter-destination=${report}`,
  ...files,
];

/** Test files that share nothing but modules in one process. */
const together = (files: readonly string[], report: string, flags: readonly string[] = []): string[] => [
  node,
  'scripts/test-files.ts',
  `--at-once=${concurrency}`,
  `--report=${report}`,
  ...flags,
  ...files,
];

const nodeStep = (name: string, patterns: readonly string[], more: Partial<Step> = {}): Step => ({
  name,
  files: tests(...patterns),
  commands: (files, report) => [oneByOne(files, report)],
  ...more,
});

/** All steps, in the order in which failures are cheapest. */
export const steps: readonly Step[] = [
  { name: 'format', isStatic: true, commands: () => [[bin('oxfmt'), '--check']] },
  { name: 'lint', isStatic: true, commands: () => [[bin('oxlint'), '--deny-warnings']] },
  {
    name: 'types',
    isStatic: true,
    commands: () => ['.', 'apps/web', 'e2e'].map((project) => [bin('tsc'), '-p', project]),
  },
  { name: 'unused', isStatic: true, commands: () => [[bin('knip')]] },
  {
    name: 'architecture',
    isStatic: true,
    commands: (_, report) => [oneByOne(tests('*.test.ts', 'scripts/*.test.ts'), report, 1)],
  },
  { name: 'ledger', isStatic: true, commands: () => [[node, 'scripts/ledger.ts']] },
  nodeStep(
    'unit',
    [
      'packages/contract/src/**/*.test.ts',
      'packages/vault/src/{content,keys,manifest,names}/**/*.test.ts',
      'packages/connectors/src/{core,kit,layers}/**/*.test.ts',
      'packages/connectors/src/*.test.ts',
      'packages/testbed/src/simulators/**/*.test.ts',
      'apps/web/src/**/*.test.ts',
    ],
    { commands: (files, report) => [together(files, report)] },
  ),
  nodeStep(
    'conformance',
    [
      'packages/connectors/src/{conformance,providers}/**/*.test.ts',
      'packages/vault/src/conformance/*.test.ts',
      'packages/testbed/src/servers/*.test.ts',
    ],
    { needs: 'servers' },
  ),
  nodeStep('api', ['apps/{server,fileserver,cli}/src/**/*.test.ts'], {
    needs: 'servers',
    commands: (files, report) => [together(files, report, ['--import=./apps/server/src/testing/record-statements.ts'])],
  }),
  nodeStep('api-postgres', ['apps/server/src/**/*.test.ts'], {
    needs: 'servers',
    commands: (files, report) => [[node, 'scripts/postgres-tests.ts', ...together(files, report)]],
  }),
  {
    name: 'browser',
    needs: 'servers',
    files: tests('e2e/specs/**/*.spec.ts'),
    commands: (files) => [
      [node, 'scripts/start.ts', '--build-only'],
      [bin('playwright'), 'test', '--config', 'e2e/playwright.config.ts', ...files],
      [node, 'scripts/flaky-again.ts'],
    ],
  },
  {
    // The same walk in each engine, one after another: each keeps both cores busy.
    name: 'engines',
    needs: 'engines',
    files: tests('e2e/engines/*.test.ts'),
    commands: (files, report) => [[node, 'scripts/start.ts', '--build-only'], oneByOne(files, report, 1)],
  },
];
