import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getMore, remoteUpdate } from '@sheaf/contract';
import { tempDir } from '@sheaf/testbed';
import { standBy } from '../bystander.ts';
import type { Options } from '../options.ts';
import { timed } from '../rounds.ts';
import { withSheaf } from '../setting.ts';
import type { SheafProcess, User } from '../sheaf.ts';
import { storedFolders } from '../stored-rows.ts';
import { type Row, printTable, shown, tell } from '../table.ts';
import { residentMemory, resetPeak } from '../usage.ts';

const count = 1_000_000;
/** The longest that anybody else may wait meanwhile, ms, and how much memory it may take, MiB. */
const wanted = { wait: 100, memory: 100 };
/** Milliseconds between two looks whether a listing is stored. */
const betweenLooks = 200;

/** A folder of a million files: how long it takes to be read, put in order, filtered, and read anew, and how long everybody else waits meanwhile. */
export async function million(_options: Options): Promise<void> {
  // Where other cases keep everything in memory, the store of this one is on the disk: it is what takes the rows.
  const { path: data, remove } = await tempDir('bench-million', '/var/tmp');
  const source = fork(join(import.meta.dirname, '../simulated/huge-folder.ts'), [String(count)]);
  try {
    const [port] = (await once(source, 'message')) as [number];
    const server = `http://127.0.0.1:${port}`;
    const store = { SHEAF_DATA_DIR: data };
    await withSheaf(async (sheaf, user) => printTable(`A folder of ${count} files`, await measure(sheaf, user, server, data)), store);
  } finally {
    await remove();
    source.kill();
  }
}

async function measure(sheaf: SheafProcess, user: User, server: string, data: string): Promise<readonly Row[]> {
  const info = { server, username: 'mara', password: 'bench', authType: 'basic', enforceSSL: 'ENFORCE_MATCH' };
  const link = await user.link({ family: 'webdav', provider: 'WebDAV', info }, 'Bench');
  const { linkUri } = await user.find(link, 'many');
  // What Node loads at the first use of anything is nobody's time.
  await sleep(1000);
  const { now: idle } = await residentMemory(sheaf.pid);
  const rows: Row[] = [];
  const phase = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await resetPeak(sheaf.pid);
    const bystander = standBy(sheaf.url);
    const seconds = await timed(work);
    const waits = await bystander.end();
    const longest = Math.max(...waits);
    const memory = (await residentMemory(sheaf.pid)).peak - idle;
    const row = {
      what: name,
      seconds: shown(seconds),
      'longest wait (ms)': shown(longest),
      'held (100 ms)': longest <= wanted.wait ? 'yes' : 'no',
      'waits over 50 ms': String(waits.filter((wait) => wait > 50).length),
      'MiB above idle': shown(memory),
      'held (100 MiB)': memory <= wanted.memory ? 'yes' : 'no',
    };
    rows.push(row);
    tell(row);
  };
  const look = (more: object) => user.ask(remoteUpdate, { linkUri, limit: 100, ...more });
  /** Looks again and again until nothing is under way any more. */
  const settled = async (): Promise<void> => {
    for (let page = await look({ refresh: false }); page.stale || page.total !== count; page = await look({ refresh: false }))
      await sleep(betweenLooks);
  };
  await phase('first rows', () => look({ early: true }));
  await phase('the rest, and stored', settled);
  await phase('by size', () => look({ refresh: false, sort: 'size', order: 'desc' }));
  await phase('by time', () => look({ refresh: false, sort: 'modified', order: 'asc' }));
  await phase('by name, backwards', () => look({ refresh: false, order: 'desc' }));
  await phase('filtered', () => look({ refresh: false, filter: '77-' }));
  await phase('row 900,000', () => user.ask(getMore, { linkUri, offset: 900_000, limit: 100 }));
  await phase('read again, unchanged', () => look({ fresh: true }));
  await fetch(`${server}/change`);
  await phase('read again, 10,000 changed', () => look({ fresh: true }));
  await phase('unlinked', () => user.unlink(link));
  await phase('until its rows are deleted', async () => {
    while ((await storedFolders({ data })) > 0) await sleep(betweenLooks);
  });
  return rows;
}
