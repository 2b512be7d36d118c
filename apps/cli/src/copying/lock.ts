import { readFileSync, utimes } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Failure, isSystemError } from '#/failure.ts';

/** Interval of the heartbeat in milliseconds, and time without one after which a holder on another machine counts as gone. */
const beat = 30_000;
const silence = 120_000;

/**
 * Locks a job for this process, so that a timer does not start it twice; returns the function that unlocks. Throws Failure when the job is already
 * running.
 */
export async function holdJob(file: string): Promise<() => Promise<void>> {
  for (const isLast of [false, true]) {
    try {
      await writeFile(file, `${process.pid}\n${here()}`, { flag: 'wx', mode: 0o600 });
      return keep(file);
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
      if (isLast || (await isJobHeld(file))) throw new Failure('This folder is being copied by another run already.', 'failed', error);
      // Its owner was killed.
      await rm(file, { force: true });
    }
  }
  throw new Failure('This folder is being copied by another run already.');
}

function keep(file: string): () => Promise<void> {
  const timer = setInterval(() => {
    const now = new Date();
    // One missed heartbeat does no harm; only several in a row release the lock.
    utimes(file, now, now, () => undefined);
  }, beat);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(file, { force: true });
  };
}

/** Whether the lock's owner is running. Process ids are valid only on their machine and since its start. */
export async function isJobHeld(file: string): Promise<boolean> {
  try {
    const [pid, machine = here()] = (await readFile(file, 'utf8')).split('\n');
    if (machine === here()) return Number(pid) !== process.pid && isRunning(Number(pid));
    return Math.abs(Date.now() - (await stat(file)).mtimeMs) < silence;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Identifies this machine or container since its start; the start is known on Linux only. */
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
    // Another user's process exists but may not be signalled.
    return isSystemError(error, 'EPERM');
  }
}
