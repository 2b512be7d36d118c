import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { remoteUpdate } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import type { Options } from '../options.ts';
import { rcloneVersion, startRemoteControl } from '../rclone.ts';
import { type Contender, takeTurns } from '../rounds.ts';
import { withSetting } from '../setting.ts';
import { printTable, shown, verdict } from '../table.ts';

const connections = 50;
const seconds = 5;
const rowsInFolder = 25;
const wanted = 2.5;
const autocannon = join(import.meta.dirname, '../../node_modules/.bin/autocannon');

/** A listing call as often as it goes: Sheaf's of a stored folder, with session and rights checked, against rclone's of a folder on this disk. */
export async function small({ rounds }: Options): Promise<void> {
  const local = await tempDir('bench-small');
  await mkdir(join(local.path, 'folder'));
  for (let row = 0; row < rowsInFolder; row++) await writeFile(join(local.path, 'folder', `file-${row}.txt`), '');
  try {
    await withSetting('sftp', async ({ server, sheaf, user }) => {
      await server.fill('folder', rowsInFolder);
      const folder = await user.find(await user.link(server.linking, 'Bench'), 'folder');
      await user.ask(remoteUpdate, { linkUri: folder.linkUri, fresh: true });
      const rclone = (await rcloneVersion()) === undefined ? undefined : await startRemoteControl({ type: 'local' });
      const ask = JSON.stringify({ linkUri: folder.linkUri, refresh: false, limit: rowsInFolder });
      const contenders: Contender[] = [
        { name: 'sheaf', run: () => perSecond(sheaf.url + remoteUpdate.path, user.headers, ask) },
        ...(rclone ? [{ name: 'rclone', run: () => perSecond(`${rclone.url}/operations/list`, {}, rcloneAsk(local.path)) }] : []),
      ];
      const found = await takeTurns(contenders, rounds);
      const ratio = rclone && (found.get('sheaf') ?? Number.NaN) / (found.get('rclone') ?? Number.NaN);
      printTable(`A listing of ${rowsInFolder} over ${connections} connections (requests per second)`, [
        { Sheaf: shown(found.get('sheaf')), rclone: shown(found.get('rclone')), ...verdict(ratio, wanted) },
      ]);
      await rclone?.stop();
    });
  } finally {
    await local.remove();
  }
}

const rcloneAsk = (path: string): string => JSON.stringify({ fs: path, remote: 'folder' });

/** Load of a process of its own, so that the bench takes no part in it. */
async function perSecond(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  const all = Object.entries({ ...headers, 'content-type': 'application/json' }).flatMap(([name, value]) => [
    '--headers',
    `${name}=${value}`,
  ]);
  const load = ['--connections', String(connections), '--duration', String(seconds), '--method', 'POST', '--body', body];
  const text = await run(autocannon, ['--json', ...load, ...all, url]);
  const result = JSON.parse(text) as { readonly non2xx: number; readonly errors: number; readonly requests: { readonly average: number } };
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors from ${url}`);
  return result.requests.average;
}
