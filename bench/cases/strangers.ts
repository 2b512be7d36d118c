import { type IncomingMessage, request } from 'node:http';
import { createWeblink, downloadWeblink, listWeblink, openWeblink, remoteUpdate } from '@sheaf/contract';
import type { Options, Protocol } from '../options.ts';
import { jsonOf, post } from '../post.ts';
import { median, timed } from '../rounds.ts';
import { type Setting, withBigFile, withSetting } from '../setting.ts';
import type { User } from '../sheaf.ts';
import { type Row, printTable, shown, tell } from '../table.ts';

/** Longest listing of the owner while strangers use a share, ms. */
const wanted = 1000;
/** Milliseconds in which the owner lists again and again. */
const span = 10_000;
const files = 200;
/** Downloads that nobody reads, and calls about deep paths that run at the same time. */
const [unread, deepCalls] = [4, 6];
/** Segments of the deepest path that a share takes, and of one that no share takes. */
const [deep, tooDeep] = [100, 7000];

/** How long the owner of a link waits for a listing while strangers with a share hold downloads open, or ask for deep paths and missing items. */
export async function strangers({ protocols }: Options): Promise<void> {
  const rows: Row[] = [];
  for (const protocol of protocols)
    await withSetting(protocol, (setting) => withBigFile(64 * 2 ** 20, (path) => measure(protocol, setting, path, rows)));
  printTable('The owner lists while strangers use a share', rows);
}

async function measure(protocol: Protocol, { server, sheaf: { url }, user }: Setting, path: string, rows: Row[]): Promise<void> {
  await server.fill('shared', files);
  await server.place(path, 'large.bin');
  const link = await user.link(server.linking, 'Bench');
  const [folder, file] = [(await user.find(link, 'shared')).linkUri, (await user.find(link, 'large.bin')).linkUri];
  const [folderShare, fileShare] = [await share(user, folder), await share(user, file)];
  const say = async (what: string, attack: (signal: AbortSignal) => Promise<readonly (() => void)[]>): Promise<void> => {
    const stop = new AbortController();
    const ends = await attack(stop.signal);
    const { times, refused } = await listings(user, folder);
    stop.abort();
    for (const end of ends) end();
    const longest = Math.max(...times);
    const row = {
      protocol,
      strangers: what,
      listings: String(times.length),
      'median (ms)': shown(median(times)),
      'longest (ms)': shown(longest),
      refused: String(refused),
      [`held (${wanted} ms)`]: longest <= wanted && refused === 0 ? 'yes' : 'no',
    };
    rows.push(row);
    tell(row);
  };
  const again = (signal: AbortSignal, work: () => Promise<unknown>): void => {
    void (async () => {
      while (!signal.aborted) await work();
    })();
  };
  const list = (segments: string) => post(url + listWeblink.path, { weblinkId: folderShare, path: segments });

  await say('none', async () => []);
  await say(`${unread} unread downloads`, () => Promise.all(Array.from({ length: unread }, () => unreadDownload(url, fileShare))));
  await say(`${deepCalls} calls of ${deep} segments`, async (signal) => {
    for (let call = 0; call < deepCalls; call++) again(signal, () => list(Array.from({ length: deep }, () => 'a').join('/')));
    return [];
  });
  await say(`${deepCalls} calls of ${tooDeep} segments`, async (signal) => {
    for (let call = 0; call < deepCalls; call++) again(signal, () => list(Array.from({ length: tooDeep }, () => 'a').join('/')));
    return [];
  });
  await say('8 missing folders', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => list(`missing ${index}`)));
    return [];
  });
}

async function share(user: User, linkUri: string): Promise<string> {
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri });
  return sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
}

/** Lists the folder at its source again and again; gives how long each took, in ms, and how many were refused. */
async function listings(user: User, linkUri: string): Promise<{ readonly times: readonly number[]; readonly refused: number }> {
  const times: number[] = [];
  let refused = 0;
  for (const started = performance.now(); performance.now() - started < span;) {
    const seconds = await timed(async () => {
      const answer = await user.send(remoteUpdate, { linkUri, fresh: true, limit: 100 });
      const { data } = jsonOf(answer) as { readonly data?: { readonly refreshError?: unknown } };
      if (answer.status !== 200 || data?.refreshError !== undefined) refused++;
    });
    times.push(1000 * seconds);
  }
  return { times, refused };
}

/** Begins a download and reads none of it; gives what ends it. */
async function unreadDownload(url: string, weblinkId: string): Promise<() => void> {
  await post(url + openWeblink.path, { weblinkId });
  const asked = request(`${url}${downloadWeblink.path}?${new URLSearchParams({ weblinkId }).toString()}`, { agent: false });
  const answered = new Promise<IncomingMessage | undefined>((resolve) => {
    asked.once('response', (answer) => resolve(answer.pause()));
    // One that is refused harms nobody.
    asked.on('error', () => resolve(undefined));
  });
  asked.end();
  await answered;
  return () => asked.destroy();
}
