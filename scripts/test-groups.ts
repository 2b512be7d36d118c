/** Which test files run together in one process. */

/**
 * What others in the same process would notice, or what would notice them: programs and real servers, which stay until the process ends and use most
 * of the time anyway; measured memory and time; changes of the environment; clocks and hooks that are not those of one test.
 */
const needsOwn = [
  /child_process|server-process|worker_threads/,
  /\bstart(?:Openssh|Swift|Proftpd|Vsftpd|Apache|Nginx|Nextcloud|Azurite|Postgres|FileServer|FtpProxy|Process)\b|\bmountSmallDisk\b/,
  /memoryUsage|cpuUsage|resourceUsage|eventLoop(?:Utilization|Delay)|performance\.now\(\)|\bgc\b/i,
  /process\.(?:env\[[^\]]+\] =[^=]|env\.\w+ =[^=]|on\(|once\(|chdir|exit)|delete process\.env|Object\.assign\(process/,
  /globalThis\.\w+ =[^=]|\bglobal\.\w+ =[^=]/,
  /(?<![\w.])mock\.|\b(?:before|after)Each\(/,
  /^(?:const|let) .*= await/m,
  // All files of a process are loaded before its first test, so that a time limit that begins there is over early.
  /^(?:const|let) \w+ = (?!.*=>).*(?:AbortSignal\.timeout|Date\.now\(\)|new Date\(\))/m,
];

/** Whether a test file may run in one process with others, by its text. */
export const sharesProcess = (text: string): boolean => !needsOwn.some((pattern) => pattern.test(text));

/** Files of a shared process: enough that loading modules hardly counts, few enough that the processes end at about the same time. */
const groupSize = 10;

/** Puts files into groups for a process each: first those that have it for themselves, which take longest, then those that share one. */
export function groupsOf(files: readonly string[], shares: (file: string) => boolean): string[][] {
  const shared = files.filter(shares);
  const groups = files.filter((file) => !shares(file)).map((file) => [file]);
  for (let at = 0; at < shared.length; at += groupSize) groups.push(shared.slice(at, at + groupSize));
  return groups;
}
