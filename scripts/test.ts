/**
 * `npm test`: everything, in the order in which failures are cheapest.
 *
 *     npm test -- unit api          only these steps
 *     npm test -- api links spaces  only the step's test files whose path holds one of these words
 *     npm test -- --changed         the static steps, and of the others the test files that the change of this branch can reach
 *
 * A suite or a test that cannot run here is printed with its reason and counts as failed.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, spawnOwned } from '../packages/testbed/src/reaper.ts';
import { changedFiles, reachedBy } from './changed.ts';
import { installMissing, vsftpdFolder } from './debian-packages.ts';
import { skipMark, slowMark } from './failures-reporter.ts';
import { type Step, root, steps } from './test-steps.ts';

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly note: string;
}

/** Where a step's tests write a line for each failure. */
const reports = mkdtempSync(join(tmpdir(), 'sheaf-test-'));
own('folder', reports);
const reportOf = (step: string): string => join(reports, step);
/** Where Node and Playwright keep what they have compiled, also for the next run: hundreds of processes load the same modules. */
const caches = { NODE_COMPILE_CACHE: join(root, '.cache/compiled'), PWTEST_CACHE_DIR: join(root, '.cache/playwright') };
for (const folder of Object.values(caches)) mkdirSync(folder, { recursive: true });

/**
 * Where tests keep their files: in memory where the machine has room for it. Each commit of a database waits until it is on the disk, which takes longer
 * than all else that a test of a call does. What survives a killed process survives it there too.
 */
function scratchFolder(): string {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 6 * 1024 ** 3 ? memory : tmpdir();
}

const scratch = mkdtempSync(join(scratchFolder(), 'sheaf-'));
own('folder', scratch);
// Servers that run as other users reach their folders here as they would in the system's own.
chmodSync(scratch, 0o1777);
const path = `${join(vsftpdFolder, 'usr/sbin')}:${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

/** Runs a command; its output goes to ours, or is collected in `output`. Resolves with whether it succeeded. */
function run(command: readonly string[], step: string, output?: string[]): Promise<boolean> {
  const [file = '', ...args] = command;
  const env = { ...process.env, ...sparing, TMPDIR: scratch, PATH: path, SHEAF_TEST_REPORT: reportOf(step), ...caches };
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', output ? 'pipe' : 'inherit', output ? 'pipe' : 'inherit'] as const;
    const child = spawnOwned(file, args, { cwd: root, stdio: [...stdio], env, runsTests: true });
    child.stdout?.on('data', (text: Buffer) => output?.push(text.toString()));
    child.stderr?.on('data', (text: Buffer) => output?.push(text.toString()));
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

async function runStep(step: Step, files: readonly string[], output?: string[]): Promise<Result> {
  const started = performance.now();
  let passed = true;
  for (const command of step.commands(files, reportOf(step.name))) passed = passed && (await run(command, step.name, output));
  // Node ends with 0 although a test was skipped.
  passed = passed && !linesOf(step.name).some((line) => line.startsWith(skipMark));
  return { name: step.name, passed, seconds: (performance.now() - started) / 1000, note: '' };
}

/** Runs the static steps, two at a time; each one's output is printed when it has ended. */
async function runStatic(chosen: readonly Step[]): Promise<Result[]> {
  const waiting = [...chosen];
  const results: Result[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const output: string[] = [];
      results.push(await runStep(step, [], output));
      console.log(`\n── ${step.name}\n${output.join('')}`);
    }
  };
  await Promise.all([work(), work()]);
  return results.toSorted((a, b) => chosen.findIndex(({ name }) => name === a.name) - chosen.findIndex(({ name }) => name === b.name));
}

function linesOf(step: string): string[] {
  const report = reportOf(step);
  return existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : [];
}

/** The tests of a step that took longest. */
function printSlow(step: string): void {
  const rows = linesOf(step).flatMap((line) => (line.startsWith(slowMark) ? [line.slice(slowMark.length).split('\t')] : []));
  if (rows.length === 0) return;
  console.log(`\n${step}, slow tests:`);
  const sorted = rows.toSorted(([one], [other]) => Number(other) - Number(one));
  for (const [milliseconds, file, title] of sorted.slice(0, 12))
    console.log(`  ${(Number(milliseconds) / 1000).toFixed(0)} s  ${file} ${title}`);
  if (rows.length > 12) console.log(`  and ${rows.length - 12} more`);
}

/** What a step's tests said of failures, for a reader who sees only the end of the output. */
function printFailures(step: string): void {
  const lines = linesOf(step).filter((line) => !line.startsWith(slowMark));
  if (lines.length === 0) return;
  console.log(`\n${step}:`);
  for (const line of lines.slice(0, 12)) console.log(`  ${line.length > 600 ? `${line.slice(0, 599)}…` : line}`);
  if (lines.length > 12) console.log(`  and ${lines.length - 12} more`);
}

const given = process.argv.slice(2);
const isChanged = given.includes('--changed');
const flags = given.filter((word) => word.startsWith('-') && word !== '--changed');
if (flags.length > 0) throw new Error(`no such option: ${flags.join(', ')}`);
const names = given.filter((word) => steps.some(({ name }) => name === word));
const words = given.filter((word) => !word.startsWith('-') && !names.includes(word));
const isReached = isChanged ? reachedBy(root, changedFiles(root)) : () => true;
const isNamed = (file: string): boolean => words.length === 0 || words.some((word) => file.includes(word));
const isNarrowed = isChanged || words.length > 0;
/** In the whole suite the second round on Postgres is of those files that the first one's statements tell; whoever asks for a step gets all of it. */
const sparing = !isNarrowed && names.length === 0 ? { SHEAF_TEST_STATEMENTS: join(reports, 'statements') } : {};

/** The step's files that were asked for; undefined when the step is not to run. */
function filesFor({ name, files, isStatic }: Step): readonly string[] | undefined {
  if (names.length > 0 && !names.includes(name)) return undefined;
  if (files === undefined) return words.length === 0 || names.includes(name) ? [] : undefined;
  // A second round on the other database belongs to the whole suite, unless it is asked for.
  if (isStatic || (isNarrowed && name === 'api-postgres' && !names.includes(name))) return undefined;
  const found = files.filter((file) => isNamed(file) && isReached(file));
  return found.length === 0 ? undefined : found;
}

const chosen = steps.flatMap((step) => {
  const files = filesFor(step);
  return files === undefined ? [] : [{ step, files }];
});
if (chosen.length === 0) {
  console.error(`No test fits "${given.join(' ')}". The steps are ${steps.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
/** Which programs the chosen steps lack, by what they need; the larger need first, so that packages are asked for once. */
const missing = new Map(
  (['engines', 'servers'] as const)
    .filter((needs) => chosen.some(({ step }) => step.needs === needs))
    .map((needs) => [needs, installMissing(needs)]),
);

const results = await runStatic(chosen.filter(({ step }) => step.isStatic).map(({ step }) => step));
for (const { step, files } of chosen.filter(({ step: { isStatic } }) => isStatic !== true)) {
  console.log(`\n── ${step.name}${isNarrowed ? `: ${files.length} of ${step.files?.length ?? 0} files` : ''}`);
  const lacking = (step.needs && missing.get(step.needs)) ?? [];
  if (lacking.length > 0)
    results.push({
      name: step.name,
      passed: false,
      seconds: 0,
      note: `not run, because these programs are missing: ${lacking.join(', ')}`,
    });
  else results.push(await runStep(step, step.name === 'browser' && !isNarrowed ? [] : files));
}

for (const { name } of results) printSlow(name);
console.log('');
for (const { name, passed, seconds, note } of results)
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s  ${note}`);
const failed = results.filter((result) => !result.passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
for (const { name } of results) printFailures(name);
rmSync(reports, { recursive: true });
rmSync(scratch, { recursive: true, force: true });
if (failed > 0) process.exitCode = 1;
