import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { addFolder, remoteUpdate, updateMember } from '@sheaf/contract';
import { tempDir } from '@sheaf/testbed';
import { standBy } from '../bystander.ts';
import type { Options } from '../options.ts';
import { startServer } from '../servers/server.ts';
import { withSheaf } from '../setting.ts';
import { type Row, printTable, shown, tell } from '../table.ts';

/** Milliseconds for which another program holds SQLite's write lock: longer than a write waits for it. */
const lockedFor = 6000;
/** The longest that anybody may wait meanwhile, ms. */
const wanted = 100;

/** Another program locks the database while somebody writes and somebody lists: how long everybody else waits. */
export async function locked(_options: Options): Promise<void> {
  const { path: data, remove } = await tempDir('bench-locked', '/var/tmp');
  const server = await startServer.webdav();
  try {
    await withSheaf(
      async (sheaf, user) => {
        const link = await user.link(server.linking, 'Bench');
        await user.ask(remoteUpdate, { linkUri: link, fresh: true });
        const rows: Row[] = [];
        for (const isLocked of [false, true]) {
          const bystander = standBy(sheaf.url);
          const other = new DatabaseSync(join(data, 'sheaf.db'), { timeout: 5000 });
          if (isLocked) other.exec('begin exclusive');
          const writing = user.send(addFolder, { parentLinkUri: link, folderName: `during ${isLocked}`, conflict: 'fail' });
          const linking = user.send(updateMember, { newName: `Bench ${isLocked}` });
          const until = performance.now() + lockedFor;
          let listings = 0;
          for (; performance.now() < until; listings++) {
            await user.ask(remoteUpdate, { linkUri: link, refresh: false, limit: 100 });
            await sleep(5);
          }
          const statuses = [(await writing).status, (await linking).status];
          if (isLocked) other.exec('rollback');
          other.close();
          const waits = await bystander.end();
          const longest = Math.max(...waits);
          const row = {
            what: isLocked ? 'locked for 6 s' : 'not locked',
            'longest wait (ms)': shown(longest),
            held: longest <= wanted ? 'yes' : 'no',
            'waits over 50 ms': String(waits.filter((wait) => wait > 50).length),
            answers: String(waits.length),
            listings: String(listings),
            'folder and profile': statuses.join(', '),
          };
          rows.push(row);
          tell(row);
        }
        printTable('SQLite locked by another program', rows);
      },
      { SHEAF_DATA_DIR: data },
    );
  } finally {
    await server.stop();
    await remove();
  }
}
