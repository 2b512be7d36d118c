/**
 * Runs test files: `node scripts/test-files.ts --at-once=N --report=FILE [--import=MODULE] [--timeout=SECONDS] FILES`. Files that share nothing but modules
 * run one after the other in the same process: loading and compiling modules takes longer than most unit tests. The others have a process each
 * (`sharesProcess`). The report is that of failures-reporter.ts.
 */
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { own, spawnOwned } from '../packages/testbed/src/reaper.ts';
import { slowMark } from './failures-reporter.ts';
import { groupsOf, sharesProcess } from './test-groups.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  // A test that waits for what never comes would keep its process for ever; the longest ones take three minutes on a quiet machine.
  options: {
    timeout: { type: 'string', default: '1200' },
    'at-once': { type: 'string', default: '1' },
    report: { type: 'string' },
    import: { type: 'string', multiple: true, default: [] },
  },
});
const reports = mkdtempSync(join(tmpdir(), 'sheaf-reports-'));
own('folder', reports);

/** Runs files in one process and gives whether all passed; `number` tells its report from that of the others. */
async function runGroup(group: readonly string[], number: number): Promise<boolean> {
  const own = join(reports, String(number));
  const isShared = group.length > 1;
  const imports = [...(isShared ? ['./scripts/loaded-whole.ts'] : []), ...values.import].map((module) => `--import=${module}`);
  const flags = isShared ? ['--test-isolation=none', `--test-timeout=${Number(values.timeout) * 1000}`] : [];
  const reporters = [
    ['dot', 'stdout'],
    ['./scripts/failures-reporter.ts', own],
  ].flatMap(([reporter, destination]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`]);
  const args = [...imports, '--test', ...flags, ...reporters, ...group];
  const child = spawnOwned(process.execPath, args, { cwd: root, stdio: 'inherit', runsTests: true });
  const [code, signal] = await once(child, 'exit');
  const lines = existsSync(own) ? readFileSync(own, 'utf8').split('\n').filter(Boolean) : [];
  const hasFailure = lines.some((line) => !line.startsWith(slowMark));
  // A process that a signal ended, or whose last test waits for what never comes, names no failed test.
  if (code !== 0 && !hasFailure) lines.push(`${group.join(' ')}: the process ended with ${signal ?? code}, its last test unfinished`);
  if (values.report !== undefined) for (const line of lines) appendFileSync(values.report, `${line}\n`);
  // Node ends with 0 although a hook outside of all tests failed.
  return code === 0 && !hasFailure;
}

const groups = groupsOf(files, (file) => sharesProcess(readFileSync(resolve(root, file), 'utf8')));
let next = 0;
async function work(): Promise<void> {
  while (next < groups.length) {
    const number = next++;
    if (!(await runGroup(groups[number] ?? [], number))) process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
rmSync(reports, { recursive: true });
