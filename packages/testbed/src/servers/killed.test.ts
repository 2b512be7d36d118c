import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { accountsAt, processesAt, untilNothingIsLeft } from '../left-behind.ts';
import { eventually, tempDir } from '../process.ts';

const root = join(import.meta.dirname, '../../../..');

async function scratch(t: TestContext): Promise<string> {
  const { path, remove } = await tempDir('killed');
  t.after(remove);
  await chmod(path, 0o1777);
  return path;
}

/** Waits for the first output of a program, which must not end instead. */
async function untilReady(child: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  const [first] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as unknown[];
  assert.match(String(first), /ready/);
}

/** Starts a program with that folder for temporary files; it is killed at the end of the test. */
function start(t: TestContext, folder: string, command: readonly string[]) {
  const { NODE_TEST_CONTEXT: _ofThisTest, ...env } = process.env;
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: root, env: { ...env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** A program that starts servers and then waits for ever. */
const programOf = (...servers: readonly string[]): string[] => [
  process.execPath,
  '--input-type=module',
  '--eval',
  `import * as testbed from '${join(root, 'packages/testbed/src/index.ts')}';
  await Promise.all('${servers.join(' ')}'.split(' ').map((name) => testbed[name]()));
  console.log('ready');
  setInterval(() => undefined, 1000);`,
];

const all = 'startOpenssh startProftpd startVsftpd startApache startNginx startSwift startPostgres startAzurite startFileServer'.split(' ');

test('no server, account or folder outlives a process that is killed', async (t) => {
  const folder = await scratch(t);
  const child = start(t, folder, programOf(...all));
  await untilReady(child);
  assert.equal(accountsAt(folder).length, 2);
  assert.ok(readdirSync(folder).length >= all.length);
  child.kill('SIGKILL');
  await untilNothingIsLeft(folder);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`no server outlives a process that is ended by ${signal}`, async (t) => {
    const folder = await scratch(t);
    const child = start(t, folder, programOf('startOpenssh', 'startApache'));
    await untilReady(child);
    child.kill(signal);
    await untilNothingIsLeft(folder);
  });

/** Kills `npm test` with these arguments as soon as one of its processes runs that program. */
async function killSuite(t: TestContext, args: readonly string[], program: RegExp, signal: NodeJS.Signals): Promise<void> {
  const folder = await scratch(t);
  const child = start(t, folder, [process.execPath, 'scripts/test.ts', ...args]);
  child.stdout.resume();
  await eventually(() => processesAt(folder).some((line) => program.test(line)), `${program.source} runs`, 120_000);
  child.kill(signal);
  await untilNothingIsLeft(folder);
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const)
  test(`nothing outlives a run of the tests that is ended by ${signal}`, (t) =>
    killSuite(t, ['conformance', 'sftp/connector'], /sshd.*listener/, signal));

test('nothing outlives a killed run of the tests on Postgres', (t) =>
  killSuite(t, ['api-postgres', 'sharing/spaces'], /postgres -D/, 'SIGKILL'));

test('a test file ends when its runner is killed', async (t) => {
  const folder = await scratch(t);
  const file = 'packages/connectors/src/providers/sftp/connector.test.ts';
  const child = start(t, folder, [process.execPath, '--test', file]);
  child.stdout.resume();
  await eventually(() => processesAt(folder).some((line) => line.includes('listener')), 'a server runs');
  child.kill('SIGKILL');
  await untilNothingIsLeft(folder);
});
