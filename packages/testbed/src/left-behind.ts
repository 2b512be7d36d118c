import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './process.ts';

/** Processes that have a folder in their arguments or in their environment, which servers may overwrite; see proc_pid_environ(5). */
export function processesAt(folder: string): string[] {
  const textOf = (pid: string, file: string): string => {
    try {
      return readFileSync(join('/proc', pid, file), 'latin1').replaceAll('\0', ' ');
    } catch {
      // The process has ended, or belongs to another user.
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => ['cmdline', 'environ'].some((file) => textOf(pid, file).includes(folder)))
    .map((pid) => `${pid} ${textOf(pid, 'cmdline')}`);
}

/** Lines of this machine's user accounts whose home lies in a folder. */
export const accountsAt = (folder: string): string[] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder));

/** Waits until the tests that had a folder for their temporary files have left nothing: no file in it, no process and no account that has it. */
export async function untilNothingIsLeft(folder: string): Promise<void> {
  const left = (): string[] => [...readdirSync(folder), ...processesAt(folder), ...accountsAt(folder)];
  await eventually(() => left().length === 0, 'everything is gone', 15_000).catch((error: unknown) => {
    throw new Error(`left behind: ${left().join(', ')}`, { cause: error });
  });
}
