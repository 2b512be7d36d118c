import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Below those that systems give to outgoing connections, one of which could take a port between our finding it and its server's start: Linux begins at 32768. */
const blocks = { from: 20_000, size: 100, count: 120 };

/** The first port of this process's own block, and how many of its ports were given. */
let own: Promise<number> | undefined;
let given = 0;

/** A TCP port of 127.0.0.1 that nobody listens on and no other process is given while this one lives. */
export async function freePort(): Promise<number> {
  own ??= takeBlock();
  const first = await own;
  for (;;) {
    const port = first + 1 + (given++ % (blocks.size - 1));
    const probe = await listenOn(port);
    if (!probe) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** A block is taken by listening on its first port: the system frees it when the process ends, however it ends. */
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

/** A fresh folder under the system's temporary one; `remove` deletes it with all it holds. */
export async function tempDir(prefix: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `sheaf-${prefix}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
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

/** Resolves as soon as `condition` holds, which is asked every 20 ms; rejects when it still does not after `timeout` ms. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await condition())) {
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
  /** Says when the server answers: a port that must accept connections, or a question that is asked until it is answered with yes. */
  readonly ready: number | (() => boolean | Promise<boolean>);
  /** The Debian package that holds the program, named when it is missing. */
  readonly debianPackage?: string;
  /** The signal that ends it; SIGTERM unless told. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface RunningServer {
  readonly pid: number;
  /** What the server wrote so far, both streams, its last 64 KiB. */
  output(): string;
  /** Ends the server, with another signal than its usual one where given, and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a server program in the foreground and waits until it is ready. Throws with what it wrote when it ends instead. */
export async function startProcess(program: ServerProgram): Promise<RunningServer> {
  const { command, args = [], env, cwd, ready, debianPackage, stopSignal } = program;
  const child = spawn(command, args, { env: { ...withSbin(), ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (written = (written + chunk).slice(-65_536)));
  await spawned(child, command, debianPackage);
  const stop = (signal = stopSignal) => end(child, signal);
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

/** Runs a program to its end and gives what it printed; rejects when its exit code is not 0. */
export async function run(command: string, args: readonly string[], options: { readonly cwd?: string } = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { ...options, env: withSbin(), maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Servers live in folders that a plain user's PATH lacks. */
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

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const stubborn = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await gone;
  clearTimeout(stubborn);
}
