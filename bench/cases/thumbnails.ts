import { copyFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnail } from '@sheaf/contract';
import { run, startFileServer, tempDir } from '@sheaf/testbed';
import type { Options } from '../options.ts';
import { takeTurns, timed } from '../rounds.ts';
import { withSheaf } from '../setting.ts';
import { printTable, shown, tell, verdict } from '../table.ts';

const photos = 96;
/** Pixels of a photo: those of a telephone's camera. */
const [width, height] = [4000, 3000];
const side = 256;
/** As multiples of vipsthumbnail. */
const wanted = 1.2;
/** What browsers ask for at a time. */
const atOnce = 6;

/**
 * Small pictures of a folder of photos against `vipsthumbnail` on all cores. Sheaf reads them through its file server, as it would read any
 * source; vipsthumbnail from the disk. Every photo is new to Sheaf in every round. Needs the Debian package libvips-tools.
 */
export async function thumbnails({ rounds }: Options): Promise<void> {
  const server = await startFileServer();
  const scratch = await tempDir('bench-thumbnails');
  try {
    const folder = join(server.root, 'photos');
    await makePhotos(folder, scratch.path);
    const names = Array.from({ length: photos }, (_, number) => `${number}.jpg`);
    await withSheaf(async ({ url }, user) => {
      const info = { server: server.url, username: server.user, password: server.password };
      const root = await user.link({ family: 'ofs', provider: 'OFS', info }, 'Local');
      const config = join(scratch.path, 'curl');
      const lines = names.map((name) => {
        const query = new URLSearchParams({ linkUri: `${root}/photos/${name}`, size: String(side) });
        return `url = "${url}${thumbnail.path}?${query.toString()}"\noutput = "/dev/null"`;
      });
      const headers = Object.entries(user.headers).map(([name, value]) => `header = "${name}: ${value}"`);
      await writeFile(config, [...headers, ...lines].join('\n'));
      let age = 0;
      const renew = async (): Promise<void> => {
        age += 1;
        for (const name of names) await utimes(join(folder, name), 1_700_000_000 + age, 1_700_000_000 + age);
      };
      const fetchAll = (): Promise<unknown> =>
        run('curl', ['--silent', '--show-error', '--fail', '--parallel', '--parallel-max', String(atOnce), '--config', config]);
      const makeAll = (): Promise<unknown> =>
        run('vipsthumbnail', ['--size', `${side}x${side}`, '--output', join(scratch.path, 'small-%s.webp[Q=78,effort=2]'), ...names], {
          cwd: folder,
        });
      const seconds = await takeTurns(
        [
          {
            name: 'sheaf',
            run: async () => {
              await renew();
              return timed(fetchAll);
            },
          },
          { name: 'vips', run: () => timed(makeAll) },
        ],
        rounds,
      );
      const speed = (name: string): number => photos / (seconds.get(name) ?? Number.NaN);
      const row = { Sheaf: shown(speed('sheaf')), vipsthumbnail: shown(speed('vips')), ...verdict(speed('sheaf') / speed('vips'), wanted) };
      tell(row);
      printTable(`Small pictures of ${photos} photos of ${width} x ${height} pixels (pictures a second)`, [row]);
    });
  } finally {
    await scratch.remove();
    await server.stop();
  }
}

/** Some photos drawn by libvips, and copies of them. */
async function makePhotos(folder: string, scratch: string): Promise<void> {
  await mkdir(folder);
  const drawn = 6;
  for (let number = 0; number < drawn; number++) {
    const [grey, coloured] = [join(scratch, 'grey.v'), join(scratch, 'coloured.v')];
    await run('vips', ['worley', grey, String(width), String(height), '--cell-size', '128', '--seed', String(number)]);
    await run('vips', ['falsecolour', grey, coloured]);
    await run('vips', ['jpegsave', coloured, join(folder, `${number}.jpg`), '--Q', '90']);
  }
  for (let number = drawn; number < photos; number++) await copyFile(join(folder, `${number % drawn}.jpg`), join(folder, `${number}.jpg`));
}
