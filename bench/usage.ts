import { readFile, readdir, writeFile } from 'node:fs/promises';

/** Ticks of the kernel's clock per second, as /proc counts CPU time: fixed for programs, see proc(5). */
const ticksPerSecond = 100;

/** CPU seconds that a process has taken so far, its threads included and its children not. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in MiB: now, and at most since the last `resetPeak`. */
export async function residentMemory(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}

/** Lets the kernel count the peak of resident memory anew: proc(5), clear_refs. */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

/** Processes below another one in which pages and their workers run. */
export async function pagesOf(ancestor: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = new Map<number, number>();
  const pages: number[] = [];
  for (const pid of pids) {
    // A process may end while the list is read.
    const [stat, command] = await Promise.all(['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')));
    parents.set(pid, Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    if (command?.includes('--type=renderer') === true) pages.push(pid);
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || isBelow(parent));
  };
  return pages.filter(isBelow);
}
