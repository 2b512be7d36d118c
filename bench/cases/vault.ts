import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { run, startProcess, tempDir } from '@sheaf/testbed';
import { bundled } from '../../scripts/bundle.ts';
import { browserProgram } from '../../scripts/debian-packages.ts';
import type { Options } from '../options.ts';
import { obscured } from '../rclone.ts';
import { timed } from '../rounds.ts';
import { printTable, shown } from '../table.ts';
import { vaultFiles } from './vault-files.ts';

const size = 256 * 1024 * 1024;
const nameCount = 100_000;
/** MB and names a second. */
const wanted = { encrypt: 350, decrypt: 400, names: 100_000 } as const;

interface Result {
  readonly encrypt: number;
  readonly decrypt: number;
  readonly openNames: number;
}

/** The cipher and the names of vaults in Chromium, one core, against rclone's crypt with one core on the same machine. */
export async function vault(options: Options): Promise<void> {
  const { rounds } = options;
  const ours = await inChromium();
  const theirs = await byRclone(rounds);
  const row = (what: string, own: number, other: number | undefined, goal: number) => ({
    'per second': what,
    Chromium: shown(own),
    'rclone, one core': shown(other),
    wanted: String(goal),
    held: own >= goal ? 'yes' : 'no',
  });
  printTable('Vaults in Chromium', [
    row('MB encrypted', ours.encrypt, undefined, wanted.encrypt),
    row('MB decrypted', ours.decrypt, theirs.decrypt, wanted.decrypt),
    row('names decrypted', ours.openNames, theirs.names, wanted.names),
  ]);
  await vaultFiles(options);
}

/** Gives the page to a browser of its own and waits for its result. */
async function inChromium(): Promise<Result> {
  const script = await bundled(join(import.meta.dirname, '../../packages/vault/src/speed/page.ts'));
  let isAsked = false;
  const { promise, resolve } = Promise.withResolvers<Result>();
  const server = createServer((request, response) => {
    isAsked = true;
    if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
    else if (request.method === 'POST')
      void text(request).then((body) => {
        resolve(JSON.parse(body) as Result);
        response.end();
      });
    else response.setHeader('content-type', 'text/html').end('<!doctype html><script type="module" src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await tempDir('bench-browser');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const browser = await startProcess({
    command: browserProgram(),
    args: ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile.path}`, `http://127.0.0.1:${port}/`],
    ready: () => isAsked,
    debianPackage: 'chromium',
    isScript: true,
  });
  try {
    return await promise;
  } finally {
    await browser.stop();
    server.close();
    await profile.remove();
  }
}

/** rclone's own speed with files that it has written itself, its start included. */
async function byRclone(rounds: number): Promise<{ decrypt: number; names: number }> {
  const folder = await tempDir('bench-crypt');
  try {
    const config = join(folder.path, 'rclone.conf');
    const remote = join(folder.path, 'sealed');
    await writeFile(config, `[vault]\ntype = crypt\nremote = ${remote}\npassword = ${await obscured('measured')}\n`);
    await mkdir(join(folder.path, 'clear'));
    await writeFile(join(folder.path, 'clear', 'big'), Buffer.alloc(size, 7));
    for (let index = 0; index < nameCount; index++)
      await writeFile(join(folder.path, 'clear', `Photo of a day in summer ${index}.jpeg`), '');
    const rclone = (command: string) => run('sh', ['-c', `GOMAXPROCS=1 rclone --config ${config} ${command}`]);
    await rclone(`copy ${join(folder.path, 'clear')} vault:`);
    const times = { cat: [] as number[], list: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.cat.push(await timed(() => rclone('cat vault:big > /dev/null')));
      times.list.push(await timed(() => rclone('lsf vault: > /dev/null')));
    }
    return { decrypt: size / 1e6 / Math.min(...times.cat), names: nameCount / Math.min(...times.list) };
  } finally {
    await folder.remove();
  }
}
