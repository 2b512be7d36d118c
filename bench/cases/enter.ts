import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { remoteUpdate } from '@sheaf/contract';
import type { Options } from '../options.ts';
import { type Page, openPage } from '../page.ts';
import { median, percentile } from '../rounds.ts';
import { withSheaf } from '../setting.ts';
import type { User } from '../sheaf.ts';
import { type Row, printTable, shown, tell } from '../table.ts';
import { cpuSeconds, pagesOf } from '../usage.ts';

const entries = 1000;
/** Longest time of 95 of 100 entries, ms. */
const wanted = 100;
/** Entries of each kind for each round of the bench. */
const times = 7;
/** Milliseconds between two rounds. */
const rest = 300;

/** How long it takes in Chromium from the double click on a folder that Sheaf knows until its rows are painted. */
export async function enter({ rounds }: Options): Promise<void> {
  const source = fork(join(import.meta.dirname, '../simulated/huge-folder.ts'), [String(entries), '2']);
  try {
    const [port] = (await once(source, 'message')) as [number];
    await withSheaf(async ({ url }, user) => {
      await know(user, `http://127.0.0.1:${port}`);
      const page = await openPage(url, user);
      try {
        printTable(`Entering a known folder of ${entries} files`, await measure(page, url, times * rounds));
      } finally {
        await page.stop();
      }
    });
  } finally {
    source.kill();
  }
}

/** Links the server, and lists its folders. */
async function know(user: User, server: string): Promise<void> {
  const info = { server, username: 'mara', password: 'bench', authType: 'basic', enforceSSL: 'ENFORCE_MATCH' };
  const link = await user.link({ family: 'webdav', provider: 'WebDAV', info }, 'Bench');
  const { items } = await user.ask(remoteUpdate, { linkUri: link, fresh: true, limit: 1000 });
  for (const { linkUri } of items) {
    const look = () => user.ask(remoteUpdate, { linkUri, limit: 100, refresh: false });
    while ((await look()).total !== entries) await sleep(50);
  }
}

async function measure(page: Page, url: string, count: number): Promise<readonly Row[]> {
  /** Milliseconds of processor time of the pages' processes, which change when an address is opened. */
  const busyTime = async (): Promise<number> => {
    const times = await Promise.all((await pagesOf(page.pid)).map(cpuSeconds));
    return 1000 * times.reduce((sum, one) => sum + one, 0);
  };
  const open = async (): Promise<void> => {
    await page.open(`${url}/browse/Bench`);
    await page.see('[role=row]', 'many');
  };
  const back = async (): Promise<void> => {
    await page.evaluate('history.back()');
    await page.see('[role=row]', 'many');
  };
  const phase = async (what: string, before: () => Promise<void>): Promise<Row> => {
    const waits: number[] = [];
    const busy: number[] = [];
    for (let round = 0; round < count; round++) {
      await before();
      // What the page still does for the folder above is not measured.
      await sleep(rest);
      const from = await busyTime();
      waits.push(Number(await page.evaluate(entering)));
      busy.push((await busyTime()) - from);
    }
    const row = {
      what,
      'median (ms)': shown(median(waits)),
      'p95 (ms)': shown(percentile(waits, 0.95)),
      [`held (${wanted} ms)`]: percentile(waits, 0.95) <= wanted ? 'yes' : 'no',
      "page's processor time, median (ms)": shown(median(busy)),
    };
    tell(row);
    return row;
  };
  await open();
  await page.evaluate(entering);
  return [await phase('seen on this page before', back), await phase('known to the server', open)];
}

/** Opens the folder with a double click, and gives the milliseconds until its first rows are painted; runs in the page. */
const entering = `(async () => {
  const row = document.querySelector('[role=row][aria-label="many"]');
  const begun = performance.now();
  row.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, cancelable: true }));
  while (document.querySelectorAll('[role=row][aria-label^="img-"]').length < 10) await new Promise(requestAnimationFrame);
  // A frame is painted after its callbacks, before the next task.
  await new Promise(requestAnimationFrame);
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage('');
  });
  return performance.now() - begun;
})()`;
