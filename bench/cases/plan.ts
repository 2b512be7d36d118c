import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { addFolder, oneTransfer, planTransfer, transferPlan } from '@sheaf/contract';
import { tempDir } from '@sheaf/testbed';
import { standBy } from '../bystander.ts';
import type { Options } from '../options.ts';
import { timed } from '../rounds.ts';
import { startServer } from '../servers/server.ts';
import { withSheaf } from '../setting.ts';
import type { SheafProcess, User } from '../sheaf.ts';
import { type Row, printTable, shown, tell } from '../table.ts';
import { residentMemory, resetPeak } from '../usage.ts';

/** Seconds and MiB above idle that a plan of a million files may take, and the longest that anybody else may wait meanwhile, ms. */
const wanted = { seconds: 60, memory: 300, wait: 100 };
/** Folders, and files in each. */
const shapes = [
  { folders: 1000, files: 1000 },
  { folders: 1, files: 1_000_000 },
] as const;

/** The plan of a copy of a million files from stored listings: how long it takes, and how long everybody else waits meanwhile. */
export async function plan(_options: Options): Promise<void> {
  // On the disk: the store takes what is measured.
  const { path: data, remove } = await tempDir('bench-plan', '/var/tmp');
  const server = await startServer.webdav();
  try {
    await withSheaf(
      async (sheaf, user) => {
        const link = await user.link(server.linking, 'Bench');
        const rows: Row[] = [];
        for (const shape of shapes) rows.push(await measure(sheaf, user, link, data, shape));
        printTable('Plan of a copy of 1,000,000 files from stored listings', rows);
      },
      { SHEAF_DATA_DIR: data },
    );
  } finally {
    await server.stop();
    await remove();
  }
}

async function measure(sheaf: SheafProcess, user: User, link: string, data: string, shape: (typeof shapes)[number]): Promise<Row> {
  const name = `from ${shape.folders}`;
  const make = (folderName: string) => user.ask(addFolder, { parentLinkUri: link, folderName, conflict: 'fail' });
  const { linkUri } = await make(name);
  const target = await make(`to ${shape.folders}`);
  seed(data, link.slice(1), `/${name}`, shape);
  // How long anybody waits for this machine when Sheaf does nothing.
  const before = standBy(sheaf.url);
  await sleep(5000);
  const unhurried = Math.max(...(await before.end()));
  const { now: idle } = await residentMemory(sheaf.pid);
  await resetPeak(sheaf.pid);
  const bystander = standBy(sheaf.url);
  let transferId = '';
  const seconds = await timed(async () => {
    ({ transferId } = await user.ask(planTransfer, { kind: 'copy', linkUri: [linkUri], parentLinkUri: target.linkUri, conflict: 'fail' }));
    for (;;) {
      const { state, error } = await user.get(oneTransfer, { transferId });
      if (state === 'planned') return;
      if (state !== 'planning') throw new Error(`the plan has ended as ${state}: ${error?.message}`);
      await sleep(100);
    }
  });
  const shownAfter = await timed(() => user.get(transferPlan, { transferId, offset: '0', limit: '100' }));
  const waits = await bystander.end();
  const longest = Math.max(...waits);
  const { counts } = await user.get(transferPlan, { transferId, offset: '0', limit: '1' });
  const memory = (await residentMemory(sheaf.pid)).peak - idle;
  const files = shape.folders * shape.files;
  if (counts.create < files) throw new Error(`${counts.create} of ${files} files are in the plan`);
  const row = {
    shape: `${shape.folders} folders`,
    seconds: shown(seconds),
    [`held (${wanted.seconds} s)`]: seconds <= wanted.seconds ? 'yes' : 'no',
    'MiB above idle': shown(memory),
    [`held (${wanted.memory} MiB)`]: memory <= wanted.memory ? 'yes' : 'no',
    'longest wait (ms)': shown(longest),
    [`held (${wanted.wait} ms)`]: longest <= wanted.wait ? 'yes' : 'no',
    'waits over 50 ms': `${waits.filter((wait) => wait > 50).length} of ${waits.length}`,
    'longest when idle (ms)': shown(unhurried),
    'first page (s)': shown(shownAfter),
  };
  tell(row);
  return row;
}

/** Stores listings as the server would have after somebody had looked at each folder. */
function seed(data: string, linkId: string, path: string, { folders, files }: (typeof shapes)[number]): void {
  const database = new DatabaseSync(join(data, 'sheaf.db'), { timeout: 60_000 });
  try {
    database.exec('pragma synchronous = off');
    const putFolder = database.prepare(
      `insert into listing_folder ("linkId", path, "pathKey", "listedAt", version, "folderCount", "fileCount") values (?, ?, ?, ?, 'bench', ?, ?)
        on conflict ("linkId", "pathKey") do update set "listedAt" = excluded."listedAt", "folderCount" = excluded."folderCount", "fileCount" = excluded."fileCount"
        returning id`,
    );
    const putEntry = database.prepare(
      `insert into listing_entry ("folderId", "isFile", "sortKey", name, extension, size, modified, etag) values (?, ?, ?, ?, ?, ?, 1700000000, ?)`,
    );
    const folderAt = (at: string, folderCount: number, fileCount: number): number =>
      Number(putFolder.get(linkId, at, at, Date.now(), folderCount, fileCount)?.['id']);
    const name = (kind: string, number: number): string => `${kind} ${String(number).padStart(7, '0')}`;
    // Short transactions: the server goes on meanwhile.
    const top = folderAt(path, folders === 1 ? 0 : folders, folders === 1 ? files : 0);
    for (let folder = 0; folder < folders; folder += 1) {
      database.exec('begin immediate');
      const own = name('folder', folder);
      const at = folders === 1 ? top : folderAt(`${path}/${own}`, 0, files);
      if (folders > 1) putEntry.run(top, 0, own, own, '', null, null);
      for (let file = 0; file < files; file += 1) {
        const text = `${name('file', file)}.jpeg`;
        putEntry.run(at, 1, text, text, 'jpeg', 1000 + file, `"${folder}-${file}"`);
      }
      database.exec('commit');
    }
  } finally {
    database.close();
  }
}
