import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { own, spawnOwned } from './reaper.ts';

/** Below the ephemeral port range, from which an outgoing connection could take a port before its server starts: Linux begins at 32768. */
const blocks = { from: 20_000, size: 100, count: 120 };

/** The first port of this process's block, and how many of its ports are in use. */
let block: Promise<number> | undefined;
let given = 0;

/** Returns a free TCP port of 127.0.0.1 that no other process of the tests gets while this one lives. */
export async function freePort(): Promise<number> {
  block ??= takeBlock();
  const first = await block;
  for (;;) {
    const port = first + 1 + (given++ % (blocks.size - 1));
    const probe = await listenOn(port);
    if (!probe) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Reserves a block by listening on its first port: the system frees it when the process ends, however it ends. */
async function takeBlock(): Promise<number> {
  for (let at = randomInt(blocks.count); ; at++) {
    const first = blocks.from + (at % blocks.count) * blocks.size;
    const held = await listenOn(first);
    if (!held) continue;
    held.unref();
    return first;
  }
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  } catch (taken) {
    if (taken instanceof Error) return undefined;
    throw taken;
  }
}

/** Creates a temporary folder that does not outlive this process; `remove` deletes it recursively. */
export async function tempDir(prefix: string, parent = tmpdir()): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = join(parent, `sheaf-${prefix}-${randomBytes(6).toString('hex')}`);
  const disown = own('folder', path);
  await mkdir(path, { mode: 0o700 });
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      disown();
    },
  };
}

/** Whether something accepts connections on a port. */
export async function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch (refused) {
    if (refused instanceof Error) return false;
    throw refused;
  } finally {
    socket.destroy();
  }
}

/**
 * Gives what `condition` gave as soon as that is not false, polled every 20 ms; rejects after `timeout` ms.
 * Read a state once within the condition and return it: a second read may see a later state.
 */
export async function eventually<Found extends object | true>(
  condition: () => Found | false | Promise<Found | false>,
  what: string,
  timeout = 60_000,
): Promise<Found> {
  const end = performance.now() + timeout;
  for (;;) {
    const found = await condition();
    if (found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${timeout} ms`);
    await sleep(20);
  }
}

interface ServerProgram {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Readiness: a port that must accept connections, or a condition that is polled. */
  readonly ready: number | (() => boolean | Promise<boolean>);
  /** The Debian package of the program, named in the error when it is missing. */
  readonly debianPackage?: string;
  /** The signal that ends it; SIGTERM by default. */
  readonly stopSignal?: NodeJS.Signals;
  /** Whether it is a script that starts the program, which `stop` then has to end as well. */
  readonly isScript?: true;
}

export interface RunningServer {
  readonly pid: number;
  /** The last 64 KiB of the server's output, both streams. */
  output(): string;
  /** Stops the server, optionally with another signal, and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a server program in the foreground and waits until it is ready; it does not outlive this process. Rejects with its output when it exits instead. */
export async function startProcess(program: ServerProgram): Promise<RunningServer> {
  const { command, args = [], env, cwd, ready, debianPackage, stopSignal, isScript = false } = program;
  const child = spawnOwned(command, args, {
    env: { ...withSbin(), ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(stopSignal && { endedBy: stopSignal }),
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (written = (written + chunk).slice(-65_536)));
  await spawned(child, command, debianPackage);
  const stop = (signal = stopSignal) => end(child, signal, isScript);
  try {
    await eventually(
      () => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} ended (${child.exitCode}):\n${written}`);
        return typeof ready === 'number' ? accepts(ready) : ready();
      },
      `${command} is ready`,
      60_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, output: () => written, stop };
}

/** Runs a program to its end and returns its output; rejects when its exit code is not 0. */
export async function run(command: string, args: readonly string[], options: { readonly cwd?: string } = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { ...options, env: withSbin(), maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Servers are installed in folders that are not in a regular user's PATH. */
const withSbin = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` });

async function spawned(child: ChildProcess, command: string, debianPackage: string | undefined): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new Error(`${command} cannot be started${debianPackage ? `; on Debian: apt-get install ${debianPackage}` : ''}`, {
      cause: error,
    });
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM', isGroup = false): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
  else child.kill(signal);
  const stubborn = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await gone;
  clearTimeout(stubborn);
}
