import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archive, createWeblink, downloadWeblink } from '@sheaf/contract';
import { run, startFileServer } from '@sheaf/testbed';
import { fetchAway } from '../curl.ts';
import type { Options } from '../options.ts';
import { takeTurns, timed } from '../rounds.ts';
import { withBigFile, withSetting, withSheaf } from '../setting.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';

const mib = 2 ** 20;
const files = 1000;
const fileSize = 100 * 1024;
/** As multiples of `zip -0`, and of the signed-in download. */
const wanted = { zip: 1.5, shared: 0.95 } as const;

/** A folder as a zip against the system's `zip -0`, and a shared file's download against the signed-in one. */
export async function zip(options: Options): Promise<void> {
  printTable(`A folder of ${files} files of 100 KiB as a zip (MiB/s)`, [await folderAsZip(options)]);
  printTable(`A shared file of ${shown(options.size / mib)} MiB (MiB/s)`, await sharedFile(options));
}

/** The folder is on this machine, behind the Sheaf file server; `zip` reads it from the disk. */
async function folderAsZip({ rounds }: Options): Promise<Row> {
  const server = await startFileServer();
  const measured: Row[] = [];
  try {
    await mkdir(join(server.root, 'folder'));
    for (let number = 0; number < files; number++) await writeFile(join(server.root, 'folder', `${number}.jpg`), randomBytes(fileSize));
    await withSheaf(async ({ url }, user) => {
      const info = { server: server.url, username: server.user, password: server.password };
      const root = await user.link({ family: 'ofs', provider: 'OFS', info }, 'Local');
      const address = `${url}${archive.path}?${new URLSearchParams({ linkUri: `${root}/folder` }).toString()}`;
      const { headers } = await fetch(address, { method: 'HEAD', headers: user.headers });
      const length = Number(headers.get('content-length'));
      const seconds = await takeTurns(
        [
          { name: 'sheaf', run: async () => (await fetchAway(address, length, { headers: user.headers })).seconds },
          { name: 'zip', run: () => timed(() => run('sh', ['-c', 'zip -q -0 -r - folder > /dev/null'], { cwd: server.root })) },
        ],
        rounds,
      );
      const speed = (name: string): number => (files * fileSize) / mib / (seconds.get(name) ?? Number.NaN);
      measured.push({ Sheaf: shown(speed('sheaf')), 'zip -0': shown(speed('zip')), ...verdict(speed('sheaf') / speed('zip'), wanted.zip) });
    });
  } finally {
    await server.stop();
  }
  const [row = {}] = measured;
  tell(row);
  return row;
}

/** The same file, by its public address and by its owner. */
async function sharedFile({ size, rounds, protocols }: Options): Promise<Row[]> {
  const rows: Row[] = [];
  await withBigFile(size, async (file) => {
    for (const protocol of protocols) {
      await withSetting(protocol, async ({ server, sheaf, user }) => {
        await server.place(file, 'big.bin');
        const { linkUri } = await user.find(await user.link(server.linking, 'Bench'), 'big.bin');
        const { sharelinkurl } = await user.ask(createWeblink, { linkUri });
        const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
        const shared = `${sheaf.url}${downloadWeblink.path}?${new URLSearchParams({ weblinkId }).toString()}`;
        const seconds = await takeTurns(
          [
            { name: 'shared', run: async () => (await fetchAway(shared, size)).seconds },
            { name: 'own', run: async () => (await fetchAway(user.downloadUrl(linkUri), size, { headers: user.headers })).seconds },
          ],
          rounds,
        );
        const speed = (name: string): number => size / mib / (seconds.get(name) ?? Number.NaN);
        const ratio = speed('shared') / speed('own');
        const row = { protocol, shared: shown(speed('shared')), 'signed in': shown(speed('own')), ...verdict(ratio, wanted.shared) };
        rows.push(row);
        tell(row);
      });
    }
  });
  return rows;
}
