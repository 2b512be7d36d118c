import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, spawnOwned, tempDir } from '@sheaf/testbed';
import type { Options } from '../options.ts';
import { median } from '../rounds.ts';
import { startSheaf } from '../sheaf.ts';
import { printTable, shown } from '../table.ts';
import { residentMemory } from '../usage.ts';

const most = { ready: 300, npmStart: 2000, idle: 110 };
/** Milliseconds after which a server that has just started is idle. */
const settling = 5000;

/** From the start of a process to the first answer, and what it keeps when nothing happens. */
export async function start({ rounds }: Options): Promise<void> {
  const [ready, idle, npmStart]: [number[], number[], number[]] = [[], [], []];
  await npmStartOnce();
  for (let round = 0; round < rounds; round++) {
    const sheaf = await startSheaf();
    ready.push(sheaf.readyAfter);
    await sleep(settling);
    idle.push((await residentMemory(sheaf.pid)).now);
    await sheaf.stop();
    npmStart.push(await npmStartOnce());
  }
  const row = (what: string, values: readonly number[], limit: number) => ({
    what,
    median: shown(median(values)),
    'at most': String(limit),
    held: median(values) <= limit ? 'yes' : 'no',
  });
  printTable('Start', [
    row('built server, first answer (ms)', ready, most.ready),
    row('npm start again, first answer (ms)', npmStart, most.npmStart),
    row('resident when idle (MiB)', idle, most.idle),
  ]);
}

/** Milliseconds from `npm start` to the first answered request. */
async function npmStartOnce(): Promise<number> {
  const [port, folder] = [await freePort(), await tempDir('bench-start')];
  const env = { ...process.env, SHEAF_PORT: String(port), SHEAF_DATA_DIR: folder.path, SHEAF_LOG_LEVEL: 'warn' };
  const started = performance.now();
  const npm = spawnOwned('npm', ['start'], { cwd: join(import.meta.dirname, '../..'), env, stdio: 'ignore' });
  const ended = once(npm, 'exit');
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
      if (answer instanceof Response && answer.ok) break;
      if (npm.exitCode !== null) throw new Error('npm start ended at once');
      await sleep(2);
    }
    return performance.now() - started;
  } finally {
    // npm and the server below it are a group of their own.
    process.kill(-(npm.pid ?? 0), 'SIGTERM');
    await ended;
    await folder.remove();
  }
}
