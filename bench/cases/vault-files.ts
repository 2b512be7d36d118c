import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVault } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import { usualNames, wrap } from '@sheaf/vault';
import type { Options } from '../options.ts';
import { type Page, openPage } from '../page.ts';
import { obscured, rcloneVersion } from '../rclone.ts';
import { timed } from '../rounds.ts';
import { withSheaf } from '../setting.ts';
import { printTable, shown } from '../table.ts';
import { cpuSeconds, pagesOf } from '../usage.ts';

const [passphrase, password] = ['measured passphrase', 'measured password'];
/** Of the recording: the most that its format can say. */
const recordingSize = 2 ** 32 - 2 ** 16;
/** Where the recording is sought, as parts of its length. */
const positions = [0.75, 0.2, 0.95, 0.5, 0.35];
/** MiB of heap, and seconds until a far place is heard. */
const wanted = { heap: 100, seek: 1 } as const;
/** Most bytes that rclone reads: enough for its speed. */
const mostRead = 2 ** 30;

/** Files of vaults in the built app and Chromium, from and to a storage that makes up their encrypted bytes; beside `rclone cat` of the same file. */
export async function vaultFiles({ size }: Options): Promise<void> {
  const storage = fork(join(import.meta.dirname, '../simulated/vault-files.ts'), [password, String(recordingSize), String(size)]);
  try {
    const [port] = (await once(storage, 'message')) as [number];
    const server = `http://127.0.0.1:${port}`;
    await withSheaf(
      async (sheaf, user) => {
        const info = { server, username: 'mara', password: 'bench', authType: 'basic', enforceSSL: 'ENFORCE_MATCH' };
        const { linkUri } = await user.find(await user.link({ family: 'webdav', provider: 'WebDAV', info }, 'Bench'), 'Vault');
        const wrapped = await wrap(passphrase, { password, password2: '' }, usualNames);
        const { vaultId } = await user.ask(createVault, { linkUri, name: 'Vault', options: JSON.stringify(usualNames), wrapped });
        const page = await openPage(sheaf.url, user);
        try {
          await page.open(`${sheaf.url}/vaults/${vaultId}`);
          await page.see('button', 'Unlock');
          await page.evaluate("document.querySelector('input[type=password]').focus()");
          await page.write(passphrase);
          await page.press('button', 'Unlock');
          await page.see('button', 'zeros.bin');
          const seeks = await seekTimes(page);
          const down = await measured(page, () => save(page, 'zeros.bin', size));
          const up = await measured(page, () => send(page, size));
          const theirs = await byRclone(server, Math.min(size, mostRead));
          print({ size, seeks, down, up, theirs });
        } finally {
          await page.stop();
        }
      },
      { SHEAF_BILLING: 'off' },
    );
  } finally {
    storage.kill();
  }
}

interface Moved {
  readonly seconds: number;
  /**
   * Most MiB in the heaps of the page, its workers and the service worker, with the memory of their buffers and garbage that is not collected yet, above
   * what they had before the work.
   */
  readonly heap: number;
  /** MiB of the pages' processes above what they had before: also what the browser itself copies, and freed memory that it keeps. */
  readonly memory: number;
  /** CPU seconds of the pages' processes. */
  readonly cpu: number;
}
type Results = { size: number; seeks: readonly number[]; down: Moved; up: Moved; theirs: { speed: number; cpu: number } | undefined };

function print({ size, seeks, down, up, theirs }: Results): void {
  const megabytes = size / 1e6;
  const row = (what: string, { seconds, heap, memory, cpu }: Moved, other?: { speed: number; cpu: number }) => ({
    what,
    'MB/s': shown(megabytes / seconds),
    'rclone cat': shown(other?.speed),
    'CPU s a GB': shown(cpu / (megabytes / 1000)),
    'rclone’s CPU s a GB': shown(other?.cpu),
    'MiB of heap above idle': shown(heap),
    'held (100 MiB)': heap <= wanted.heap ? 'yes' : 'no',
    'MiB of the process above idle': shown(memory),
  });
  printTable(`A file of ${shown(size / 2 ** 30)} GiB in a vault, in Chromium, through Sheaf`, [
    row('download', down, theirs),
    row('upload', up),
  ]);
  const worst = Math.max(...seeks);
  printTable('A recording of 4 GiB in a vault', [
    { what: `longest of ${seeks.length} far seeks, seconds`, measured: shown(worst), 'held (1 s)': worst <= wanted.seek ? 'yes' : 'no' },
  ]);
}

/** Seconds from asking a player for each place until it has it. */
async function seekTimes(page: Page): Promise<number[]> {
  await page.press('button', 'recording.wav');
  const seconds = await page.evaluate(`(async () => {
    const look = async (find) => { while (!find()) await new Promise((resolve) => setTimeout(resolve, 20)); return find(); };
    const media = await look(() => document.querySelector('[role=dialog] audio'));
    await look(() => media.readyState > 0);
    const seconds = [];
    for (const position of ${JSON.stringify(positions)}) {
      const begun = performance.now();
      const sought = new Promise((resolve) => media.addEventListener('seeked', resolve, { once: true }));
      media.currentTime = media.duration * position;
      await sought;
      seconds.push((performance.now() - begun) / 1000);
    }
    return seconds;
  })()`);
  await page.press('[role=dialog] button', 'Close');
  return seconds as number[];
}

/** Downloads a file as a user does; the browser writes it to the disk. */
async function save(page: Page, name: string, size: number): Promise<void> {
  const path = await page.saved(async () => {
    await page.press('button', `Menu of ${name}`);
    await page.press('[role=menuitem]', 'Download');
  });
  const { size: saved } = await stat(path);
  if (saved !== size) throw new Error(`${name} has ${saved} bytes`);
  await rm(path);
}

/** Uploads a file without content of its own. */
async function send(page: Page, size: number): Promise<void> {
  const folder = await tempDir('bench-upload');
  try {
    const path = join(folder.path, 'sent.bin');
    await writeFile(path, '');
    await truncate(path, size);
    await page.choose('input[aria-label="Files to upload"]', path);
    await page.see('button', 'sent.bin');
  } finally {
    await folder.remove();
  }
}

/** Runs the work, and looks at the pages' processes meanwhile. */
async function measured(page: Page, work: () => Promise<void>): Promise<Moved> {
  // Else garbage of the work before would count as idle, and be collected meanwhile.
  await page.collectGarbage();
  const idle = await page.heap();
  const pids = await pagesOf(page.pid);
  const sum = async (of: (pid: number) => Promise<number>) => (await Promise.all(pids.map(of))).reduce((all, one) => all + one, 0);
  const [memory, cpu] = [await sum(ownMemory), await sum(cpuSeconds)];
  let most = memory;
  let heap = idle;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      most = Math.max(most, await sum(ownMemory));
      heap = Math.max(heap, await page.heap());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const watching = watch();
  const seconds = await timed(work).finally(() => (isOver = true));
  await watching;
  return { seconds, heap: (heap - idle) / 2 ** 20, memory: most - memory, cpu: (await sum(cpuSeconds)) - cpu };
}

/** Memory that a process has for itself, in MiB: heaps, buffers and stacks, no code that it shares. */
async function ownMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** MB a second, and CPU seconds a GB, of `rclone cat` of the beginning of the same file at the same storage; undefined without rclone. */
async function byRclone(server: string, count: number): Promise<{ speed: number; cpu: number } | undefined> {
  if ((await rcloneVersion()) === undefined) return undefined;
  const folder = await tempDir('bench-crypt');
  try {
    const config = join(folder.path, 'rclone.conf');
    const storage = `[storage]\ntype = webdav\nurl = ${server}\nvendor = other\n`;
    await writeFile(config, `${storage}[vault]\ntype = crypt\nremote = storage:Vault\npassword = ${await obscured(password)}\n`);
    const command = `GOMAXPROCS=1 rclone --config ${config} cat --count ${count} vault:zeros.bin > /dev/null; times`;
    let times = '';
    const seconds = await timed(async () => void (times = await run('sh', ['-c', command])));
    // The second line is of the children: user and system time, as 0m1.500000s.
    const spent = [...(times.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    const cpu = spent.reduce((all, [, minutes, more]) => all + Number(minutes) * 60 + Number(more), 0);
    return { speed: count / 1e6 / seconds, cpu: cpu / (count / 1e9) };
  } finally {
    await folder.remove();
  }
}
