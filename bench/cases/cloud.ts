import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { remoteUpdate } from '@sheaf/contract';
import { freePort, patternStream, tempDir } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import type { Options } from '../options.ts';
import { median, takeTurns, timed } from '../rounds.ts';
import { type SheafProcess, type User, signUp, startSheaf } from '../sheaf.ts';
import { type Account, type Direct, MiB } from '../simulated/bare.ts';
import { box, dropbox, googleDrive, oneDrive, oracle } from '../simulated/direct-drives.ts';
import { autodesk, b2, googleCloud, procore } from '../simulated/direct-stores.ts';
import { type Cloud, link } from '../simulated/linking.ts';
import { type SimulatedProviders, startSimulated } from '../simulated/providers.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';
import { cpuSeconds } from '../usage.ts';

/** Of what a bare client moves. */
const wanted = 0.85;
const email = 'mara@example.org';
const clouds: readonly (Cloud & { readonly direct: (account: Account) => Direct })[] = [
  { provider: 'GoogleDrive', stem: 'GOOGLEDRIVE', email, direct: googleDrive },
  { provider: 'GoogleCloud', stem: 'GOOGLECLOUD', email, bucket: 'mara-files', direct: googleCloud },
  { provider: 'Dropbox', stem: 'DROPBOX', email, direct: dropbox },
  { provider: 'OneDrive', stem: 'ONEDRIVE', email: 'mara@outlook.example', direct: oneDrive },
  { provider: 'Box', stem: 'BOX', email, direct: box },
  { provider: 'B2', stem: 'B2', email, form: 'b2', folder: ['bench'], direct: b2 },
  {
    provider: 'Autodesk',
    stem: 'AUTODESK',
    email: 'mara@sheaf.example',
    folder: ['Harbour Works', 'Quay 7', 'Project Files'],
    direct: autodesk,
  },
  { provider: 'Procore', stem: 'PROCORE', email: 'mara@sheaf.example', folder: ['Harbour Builders', 'Quay 7'], direct: procore },
  { provider: 'OracleDocuments', stem: 'ORACLE', email, form: 'oracledocuments', direct: oracle },
];
/** Files of the conversation that is listed, and how long each answer about it takes, in ms. */
const many = 5_000;
const delay = 60;

/** Sheaf and a bare HTTP client against simulated providers: one big file each way, and a folder of many pages. */
export async function cloud({ size, rounds, providers }: Options): Promise<void> {
  const unknown = providers.find((name) => name !== 'Slack' && !clouds.some(({ provider }) => provider === name));
  if (unknown !== undefined) throw new Error(`there is no simulated ${unknown}`);
  const isWanted = (provider: string): boolean => providers.length === 0 || providers.includes(provider);
  const port = await freePort();
  const simulated = await startSimulated(`http://127.0.0.1:${port}/oauth`);
  const settings = (await simulated.ask({ ask: 'settings' })) as Readonly<Record<string, string>>;
  const sheaf = await startSheaf({ ...settings, SHEAF_PORT: String(port), SHEAF_PUBLIC_URL: `http://127.0.0.1:${port}` });
  const folder = await tempDir('bench-cloud');
  try {
    const user = await signUp(sheaf);
    const file = join(folder.path, 'big.bin');
    await pipeline(patternStream(size, 'bench'), createWriteStream(file));
    const rows: Row[] = [];
    for (const one of clouds.filter(({ provider }) => isWanted(provider))) {
      const root = await link(simulated, user, sheaf.url, one);
      const account = (await simulated.ask({ ask: 'account', stem: one.stem, email: one.email })) as Account;
      const direct = one.direct(account);
      rows.push(...(await bothWays({ user, root, direct, file, size, rounds, provider: one.provider, sheaf, simulated })));
    }
    if (rows.length > 0) printTable(`One file of ${shown(size / MiB)} MiB against a simulator (MiB/s)`, rows);
    if (isWanted('Slack'))
      printTable(`A folder of ${many} files, each answer after ${delay} ms (seconds)`, [
        await pages(simulated, user, sheaf.url, settings, rounds),
      ]);
  } finally {
    await sheaf.stop();
    await simulated.stop();
    await folder.remove();
  }
}

interface Task {
  readonly user: User;
  readonly root: string;
  readonly direct: Direct;
  readonly file: string;
  readonly size: number;
  readonly rounds: number;
  readonly provider: string;
  readonly sheaf: SheafProcess;
  readonly simulated: SimulatedProviders;
}

async function bothWays({ user, root, direct, file, size, rounds, provider, sheaf, simulated }: Task): Promise<Row[]> {
  /** Seconds of a transfer, and CPU seconds of Sheaf and of the simulator meanwhile. */
  async function measured(way: string, mine: () => Promise<number>, theirs: () => Promise<number>): Promise<Row> {
    const used = { sheaf: [] as number[], simulator: [] as number[] };
    const run = async (round: number): Promise<number> => {
      const before = await Promise.all([sheaf, simulated].map(({ pid }) => cpuSeconds(pid)));
      const seconds = await mine();
      const after = await Promise.all([sheaf, simulated].map(({ pid }) => cpuSeconds(pid)));
      if (round > 0) {
        used.sheaf.push((after[0] ?? 0) - (before[0] ?? 0));
        used.simulator.push((after[1] ?? 0) - (before[1] ?? 0));
      }
      return seconds;
    };
    const seconds = await takeTurns(
      [
        { name: 'sheaf', run },
        { name: 'direct', run: theirs },
      ],
      rounds,
    );
    const speed = (name: string): number => size / MiB / (seconds.get(name) ?? Number.NaN);
    const made = {
      provider,
      way,
      Sheaf: shown(speed('sheaf')),
      'bare client': shown(speed('direct')),
      ...verdict(speed('sheaf') / speed('direct'), wanted),
      'CPU s Sheaf / simulator': `${shown(median(used.sheaf))} / ${shown(median(used.simulator))}`,
    };
    tell(made);
    return made;
  }
  const { headers } = user;
  const up = await measured(
    'up',
    async () => (await send(file, user.uploadUrl(root, 'sheaf.bin'), size, { headers })).seconds,
    () => direct.upload(file, size),
  );
  const url = user.downloadUrl((await user.find(root, 'sheaf.bin')).linkUri);
  const down = await measured(
    'down',
    async () => (await fetchAway(url, size, { headers })).seconds,
    () => direct.download(size),
  );
  return [up, down];
}

/** Pages that can be asked for side by side: Slack tells them by number. */
async function pages(
  simulated: SimulatedProviders,
  user: User,
  sheafUrl: string,
  settings: Readonly<Record<string, string>>,
  rounds: number,
): Promise<Row> {
  const channel = (await simulated.ask({ ask: 'conversation', name: 'bench', files: many, user: 'U0MARA' })) as string;
  const root = await link(simulated, user, sheafUrl, { stem: 'SLACK', provider: 'Slack', email });
  const { token } = (await simulated.ask({ ask: 'account', stem: 'SLACK', email })) as Account;
  await simulated.ask({ ask: 'slow', ms: delay });
  const { linkUri } = await user.find(root, 'bench');
  const seconds = await takeTurns(
    [
      { name: 'sheaf', run: () => timed(() => user.ask(remoteUpdate, { linkUri, fresh: true, limit: 25 })) },
      {
        name: 'direct',
        run: () =>
          timed(async () => {
            for (let page = 1; ; page += 1) {
              const query = new URLSearchParams({ channel, count: '200', page: String(page) });
              const answer = await fetch(`${settings['SHEAF_SLACK_API_URL']}/files.list?${query.toString()}`, {
                headers: { authorization: `Bearer ${token}` },
              });
              const { paging } = (await answer.json()) as { paging: { pages: number } };
              if (page >= paging.pages) return;
            }
          }),
      },
    ],
    rounds,
  );
  const [mine = Number.NaN, theirs = Number.NaN] = [seconds.get('sheaf'), seconds.get('direct')];
  return { provider: 'Slack', Sheaf: shown(mine), 'page after page': shown(theirs), 'times as fast': shown(theirs / mine) };
}
