import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/**
 * What would outlive this process: a folder; a user account of this machine; a mount, by its folder; a process, by its id and the signal that ends it without
 * `SIG`, with its descendants; a process group, whose descendants in other groups have a reaper of their own.
 */
type Kind = 'folder' | 'account' | 'mount' | 'process' | 'group';

let pipe: Writable | undefined;

/**
 * Registers something to be removed when this process ends, even by SIGKILL: a small program, the reaper, waits until its pipe from here closes. Register a
 * thing before it exists, and call the returned function once it is gone.
 */
export function own(kind: Kind, name: string): () => void {
  pipe ??= startReaper();
  pipe.write(`+ ${kind} ${name}\n`);
  return () => void pipe?.write(`- ${kind} ${name}\n`);
}

/** `detached` gives it a process group of its own: what ends this process, such as Ctrl-C in a terminal, must not end it. */
function startReaper(): Writable {
  const program = join(import.meta.dirname, 'reaper.awk');
  const child = spawn('awk', ['-f', program], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without awk the tests run as well, and clean up unless they are killed.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  // The pipe is a socket, which would keep this process running.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child.stdin;
}

interface Spawning extends SpawnOptions {
  /** The signal on which the program ends its own children; by default all are killed. */
  readonly endedBy?: NodeJS.Signals;
  /** Whether the program runs tests, which have reapers of their own that have to go on. */
  readonly runsTests?: true;
}

/** Like `spawn`, for a program that ends when this process ends. It leads a process group of its own. */
export function spawnOwned(
  command: string,
  args: readonly string[],
  { endedBy = 'SIGKILL', runsTests, ...options }: Spawning,
): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) return child;
  const disown = runsTests ? own('group', `${pid}`) : own('process', `${pid} ${endedBy.slice(3)}`);
  child.once('exit', disown);
  return child;
}

const { NODE_TEST_CONTEXT: ofNode, TEST_WORKER_INDEX: ofPlaywright, SHEAF_TEST_REPORT: ofSuite } = process.env;

/** A test whose runner was killed would go on unseen: its process ends too. Orphans have another parent. Playwright's workers do so themselves. */
if (ofNode !== undefined) {
  const runner = process.ppid;
  setInterval(() => {
    if (process.ppid !== runner) process.exit(1);
  }, 1000).unref();
}

/** All temporary files of a test process lie in one folder that the reaper removes. `npm test` has such a folder for all of its processes. */
if ((ofNode ?? ofPlaywright) !== undefined && ofSuite === undefined) {
  const folder = join(tmpdir(), `sheaf-${randomBytes(6).toString('hex')}`);
  own('folder', folder);
  mkdirSync(folder);
  // Servers that run as other users reach their folders here as they would in the system's own.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
}
