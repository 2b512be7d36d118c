import { readFile, rm, writeFile } from 'node:fs/promises';
import { Failure, isSystemError } from '#/failure.ts';

/** Holds a job for this process, so that a timer does not start it a second time; gives the way to let go. Throws Failure when it runs already. */
export async function holdJob(file: string): Promise<() => Promise<void>> {
  for (const isLast of [false, true]) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
      if (isLast || isRunning(Number(await readFile(file, 'utf8').catch(() => '')))) {
        throw new Failure('This folder is being copied by another run already.', 'failed', error);
      }
      // Its owner was killed.
      await rm(file, { force: true });
    }
  }
  throw new Failure('This folder is being copied by another run already.');
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
