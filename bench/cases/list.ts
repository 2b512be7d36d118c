import { setTimeout as sleep } from 'node:timers/promises';
import { getMore, remoteUpdate } from '@sheaf/contract';
import type { Options, Protocol } from '../options.ts';
import { startPeer } from '../peer.ts';
import { type Answer, jsonOf, post } from '../post.ts';
import { type Rclone, startRemoteControl } from '../rclone.ts';
import { type Contender, median, takeTurns, timed } from '../rounds.ts';
import { type Setting, withSetting } from '../setting.ts';
import { type User, replyOf } from '../sheaf.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';

/** How much faster than rclone a folder of ten thousand is to be listed. */
const wanted: Readonly<Partial<Record<Protocol, number>>> = { sftp: 1.5, ftp: 8, webdav: 6, s3: 5 };
const pageSize = 1000;
/** Pages that the client asks for at the same time; a browser has six connections. */
const pagesAtOnce = 4;
/** Milliseconds after which a folder that has been read is stored. */
const storing = 5000;
/** Milliseconds before a turn, in which whoever had the turn before stores what it read, or deletes what was unlinked. */
const settling = 500;
const many = 10_000;
const veryMany = 100_000;
/** Rounds before those that count: Node compiles what runs often, which rclone's compiler has done beforehand. */
const warmingUp = 2;

/** Folders that Sheaf has never seen, all rows to the client; their first rows; and the first page of a stored one. */
export async function list({ protocols, rounds }: Options): Promise<void> {
  const rows: Row[] = [];
  for (const protocol of protocols) {
    await withSetting(protocol, async (setting) => {
      // A hundred thousand objects take an emulated store an hour to make.
      for (const count of protocol === 's3' || protocol === 'azure' ? [many] : [many, veryMany]) {
        const row = await listFolder(setting, protocol, count, rounds);
        rows.push(row);
        tell(row);
      }
    });
  }
  printTable('Listing of a folder (ms)', rows);
}

async function listFolder({ server, user, hasRclone }: Setting, protocol: Protocol, count: number, rounds: number): Promise<Row> {
  const name = `folder-${count}`;
  await server.fill(name, count);
  const peer = hasRclone ? await startPeer('control', server) : undefined;
  const single = hasRclone && server.remote ? await startRemoteControl(server.remote) : undefined;
  // Times of S3 objects cost rclone a request each, and are what Sheaf shows: both of its ways are measured.
  const asksEach = peer !== undefined && protocol === 's3';
  const firstRows: number[] = [];
  const early: boolean[] = [];
  let link: string | undefined;
  /** A link of its own for each turn, whose connection stands and whose folder is unknown. */
  const unknownFolder = async (): Promise<string> => {
    if (link !== undefined) await user.unlink(link);
    link = await user.link(server.linking, 'Bench');
    return (await user.find(link, name)).linkUri;
  };
  const contenders: Contender[] = [
    {
      name: 'sheaf',
      async run() {
        const folder = await unknownFolder();
        await sleep(settling);
        return wholeFolder(user, folder, count);
      },
    },
    ...(peer ? [{ name: 'rclone', run: () => rcloneFolder(peer, `${peer.folder}/${name}`, count, true) }] : []),
    ...(asksEach ? [{ name: 'without times', run: () => rcloneFolder(peer, `${peer.folder}/${name}`, count, false) }] : []),
    ...(single && !asksEach && count === many
      ? [{ name: 'one storage', run: () => rcloneFolder(single, `${server.remoteFolder}/${name}`, count, true) }]
      : []),
    ...(server.listDirectly ? [{ name: 'own client', run: async () => (await server.listDirectly?.(name)) ?? Number.NaN }] : []),
    {
      name: 'first rows',
      async run() {
        const folder = await unknownFolder();
        await sleep(settling);
        const seconds = await timed(async () => {
          const { items, total } = await user.ask(remoteUpdate, { linkUri: folder, limit: 25, early: true });
          if (items.length !== 25) throw new Error(`${items.length} first rows`);
          early.push(total === undefined);
        });
        firstRows.push(seconds);
        await wholeFolder(user, folder, count);
        return seconds;
      },
    },
  ];
  try {
    const seconds = await (count === many
      ? takeTurns(contenders, rounds, asksEach ? 1 : warmingUp)
      : takeTurns(contenders, Math.min(rounds, 3)));
    const ms = (contender: string): number => 1000 * (seconds.get(contender) ?? Number.NaN);
    return {
      protocol,
      entries: String(count),
      Sheaf: shown(ms('sheaf')),
      rclone: shown(ms('rclone')),
      'rclone without times': shown(ms('without times')),
      'rclone, one storage': shown(ms('one storage')),
      'own client': shown(ms('own client')),
      ...verdict(peer && ms('rclone') / ms('sheaf'), count === many ? wanted[protocol] : undefined),
      'first rows': shown(ms('first rows')),
      'before the last': early.every(Boolean) ? 'yes' : 'no',
      'stored, first page': shown(1000 * (await storedPage(user, await unknownFolder(), count))),
    };
  } finally {
    if (link !== undefined) await user.unlink(link);
    await single?.stop();
    await peer?.stop();
    await server.remove(name);
  }
}

/**
 * Seconds until all rows of a folder are with the client, with what rclone tells of each as well: name, path, kind, size and time. The first page tells how many there
 * are, then come the others, some at the same time. What came is read when the clock has stopped, as is rclone's, so that the client's own work is nobody's time.
 */
async function wholeFolder(user: User, linkUri: string, count: number): Promise<number> {
  const pages: Answer[] = [];
  const seconds = await timed(async () => {
    const first = await user.send(remoteUpdate, { linkUri, fresh: true, limit: pageSize, brief: true });
    pages.push(first);
    const offsets = Array.from({ length: Math.ceil(totalIn(first) / pageSize) - 1 }, (_, page) => (page + 1) * pageSize);
    const take = async (): Promise<void> => {
      for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift())
        pages.push(await user.send(getMore, { linkUri, offset, limit: pageSize, brief: true }));
    };
    await Promise.all(Array.from({ length: pagesAtOnce }, take));
  });
  const names = new Set(pages.flatMap((page) => replyOf(getMore, page).items.map(({ name }) => name)));
  if (names.size !== count) throw new Error(`${names.size} of ${count} rows`);
  return seconds;
}

/** How many rows a page's answer says that there are; it says so after its rows. */
const totalIn = ({ body }: Answer): number => Number(/"total":(\d+)/.exec(body.toString('latin1', body.length - 1000))?.[1] ?? Number.NaN);

/** Seconds until rclone's listing is with the client. */
async function rcloneFolder(rclone: Rclone, remote: string, count: number, times: boolean): Promise<number> {
  const ask = { fs: 'bench:', remote: remote.replace(/^\//, ''), opt: { noModTime: !times, noMimeType: true } };
  await sleep(settling);
  const answers: Answer[] = [];
  const seconds = await timed(async () => answers.push(await post(`${rclone.url}/operations/list`, ask)));
  for (const { list: found, error } of answers.map(jsonOf) as { list?: readonly unknown[]; error?: string }[])
    if (found?.length !== count) throw new Error(`rclone lists ${found?.length} of ${count}: ${error}`);
  return seconds;
}

/** Seconds until the first 25 rows of a stored folder are with the client, median of twenty; another window each time, as the last answers are kept. */
async function storedPage(user: User, linkUri: string, count: number): Promise<number> {
  await wholeFolder(user, linkUri, count);
  await sleep(storing);
  const waits: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    waits.push(await timed(() => user.ask(remoteUpdate, { linkUri, refresh: false, limit: 25 + turn })));
  }
  return median(waits);
}
