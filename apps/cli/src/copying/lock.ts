import { readFileSync, utimes } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Failure, isSystemError } from '#/failure.ts';

/** ms between two signs of life, and after how long without one a holder of whom nothing else is known counts as gone. */
const beat = 30_000;
const silence = 120_000;

/** Holds a job for this process, so that a timer does not start it a second time; gives the way to let go. Throws Failure when it runs already. */
export async function holdJob(file: string): Promise<() => Promise<void>> {
  for (const isLast of [false, true]) {
    try {
      await writeFile(file, `${process.pid}\n${here()}`, { flag: 'wx', mode: 0o600 });
      return keep(file);
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
      if (isLast || (await isHeld(file))) throw new Failure('This folder is being copied by another run already.', 'failed', error);
      // Its owner was killed.
      await rm(file, { force: true });
    }
  }
  throw new Failure('This folder is being copied by another run already.');
}

function keep(file: string): () => Promise<void> {
  const timer = setInterval(() => {
    const now = new Date();
    // A sign that could not be given is missed by somebody only if several are.
    utimes(file, now, now, () => undefined);
  }, beat);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(file, { force: true });
  };
}

/** Whether whoever made the lock is at work. Numbers of processes mean something only on the machine, and since the start, in which they were given. */
async function isHeld(file: string): Promise<boolean> {
  try {
    const [pid, machine = here()] = (await readFile(file, 'utf8')).split('\n');
    if (machine === here()) return Number(pid) !== process.pid && isRunning(Number(pid));
    return Math.abs(Date.now() - (await stat(file)).mtimeMs) < silence;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

/** This machine, or container, since it was started; the start is known on Linux only. */
function here(): string {
  try {
    return `${hostname()} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch (error) {
    if (isSystemError(error)) return hostname();
    throw error;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return isSystemError(error, 'EPERM');
  }
}
