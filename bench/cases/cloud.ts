import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ReplyOf, allLinks, completeLinkAuth, linkWebServicePath, remoteUpdate } from '@sheaf/contract';
import { freePort, patternStream, tempDir } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import type { Options } from '../options.ts';
import { takeTurns, timed } from '../rounds.ts';
import { type User, signUp, startSheaf } from '../sheaf.ts';
import { type Account, type Direct, directs } from '../simulated/direct.ts';
import { type SimulatedProviders, startSimulated } from '../simulated/providers.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';

const MiB = 2 ** 20;
/** Of what a bare client moves. */
const wanted = 0.85;
const accounts = {
  GOOGLEDRIVE: ['GoogleDrive', 'mara@example.org'],
  DROPBOX: ['Dropbox', 'mara@example.org'],
  ONEDRIVE: ['OneDrive', 'mara@outlook.example'],
} as const;
type Stem = keyof typeof accounts;
/** Files of the conversation that is listed, and how long each answer about it takes, in ms. */
const many = 5_000;
const delay = 60;

/** Sheaf and a bare HTTP client against simulated providers: one big file each way, and a folder of many pages. */
export async function cloud({ size, rounds }: Options): Promise<void> {
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
    for (const [stem, [provider, email]] of Object.entries(accounts) as [Stem, readonly [string, string]][]) {
      const root = await link(simulated, user, sheaf.url, { stem, provider, email });
      const account = {
        apiUrl: settings[`SHEAF_${stem}_API_URL`] ?? '',
        uploadUrl: settings[`SHEAF_${stem}_UPLOAD_URL`] ?? '',
        token: (await simulated.ask({ ask: 'token', stem, email })) as string,
      };
      const direct = directs[stem];
      if (direct) rows.push(...(await bothWays({ user, root, account, direct, file, size, rounds, provider })));
    }
    printTable(`One file of ${shown(size / MiB)} MiB against a simulator (MiB/s)`, rows);
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
  readonly account: Account;
  readonly direct: Direct;
  readonly file: string;
  readonly size: number;
  readonly rounds: number;
  readonly provider: string;
}

async function bothWays({ user, root, account, direct, file, size, rounds, provider }: Task): Promise<Row[]> {
  const row = (way: string, seconds: ReadonlyMap<string, number>): Row => {
    const speed = (name: string): number => size / MiB / (seconds.get(name) ?? Number.NaN);
    const made = {
      provider,
      way,
      Sheaf: shown(speed('sheaf')),
      'bare client': shown(speed('direct')),
      ...verdict(speed('sheaf') / speed('direct'), wanted),
    };
    tell(made);
    return made;
  };
  const up = await takeTurns(
    [
      { name: 'sheaf', run: async () => (await send(file, user.uploadUrl(root, 'sheaf.bin'), size, { headers: user.headers })).seconds },
      { name: 'direct', run: () => direct.upload(account, file, 'direct.bin', size) },
    ],
    rounds,
  );
  const url = user.downloadUrl((await user.find(root, 'sheaf.bin')).linkUri);
  const down = await takeTurns(
    [
      { name: 'sheaf', run: async () => (await fetchAway(url, size, { headers: user.headers })).seconds },
      { name: 'direct', run: () => direct.download(account, 'sheaf.bin', size) },
    ],
    rounds,
  );
  return [row('up', up), row('down', down)];
}

/** Pages that can be asked for side by side: Slack tells them by number. */
async function pages(
  simulated: SimulatedProviders,
  user: User,
  sheafUrl: string,
  settings: Readonly<Record<string, string>>,
  rounds: number,
): Promise<Row> {
  const email = 'mara@example.org';
  const channel = (await simulated.ask({ ask: 'conversation', name: 'bench', files: many, user: 'U0MARA' })) as string;
  const root = await link(simulated, user, sheafUrl, { stem: 'SLACK', provider: 'Slack', email });
  const token = (await simulated.ask({ ask: 'token', stem: 'SLACK', email })) as string;
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

/** Links an account as a browser would; gives the address of the link's root. */
async function link(
  simulated: SimulatedProviders,
  user: User,
  sheafUrl: string,
  { stem, provider, email }: { readonly stem: string; readonly provider: string; readonly email: string },
): Promise<string> {
  const begun = await fetch(`${sheafUrl}${linkWebServicePath}?${new URLSearchParams({ sourceType: provider }).toString()}`, {
    headers: user.headers,
    redirect: 'manual',
  });
  const back = (await simulated.ask({ ask: 'allow', stem, url: begun.headers.get('location') ?? '', email })) as string;
  const { state, code } = Object.fromEntries(new URL(back).searchParams);
  await user.ask(completeLinkAuth, { ...(state !== undefined && { state }), ...(code !== undefined && { code }) });
  const links = await fetch(sheafUrl + allLinks.path, { headers: user.headers });
  const { activeSources } = ((await links.json()) as { data: ReplyOf<typeof allLinks> }).data;
  const found = activeSources.flatMap((group) => group.links).find((row) => row.provider === provider);
  if (!found) throw new Error(`${provider} was not linked`);
  return found.linkUri;
}
