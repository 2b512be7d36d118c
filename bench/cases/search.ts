import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { remoteUpdate, search as searchCall } from '@sheaf/contract';
import { startPostgres, tempDir } from '@sheaf/testbed';
import { standBy, standByWriting } from '../bystander.ts';
import type { Options } from '../options.ts';
import { median, percentile, timed } from '../rounds.ts';
import { withSheaf } from '../setting.ts';
import type { SheafProcess, User } from '../sheaf.ts';
import { goneEntries, storedFolders, vacuum } from '../stored-rows.ts';
import { type Row, printTable, shown, tell } from '../table.ts';

/** Entries of one folder: a source may not list more than twice as many. */
const folderSize = 1_000_000;
/** Longest time of 95 of 100 searches, ms: up to a million entries, and beyond. */
const wantedOf = (entries: number): number => (entries <= folderSize ? 30 : 100);
/** Longest time until a link is gone, ms, and longest that anybody else may wait meanwhile. */
const wanted = { unlinked: 1000, wait: 100 };
const rounds = 100;
const betweenLooks = 200;

/** Searches over a million entries or more: how long the first 50 answers take, rights and filters included; then the link is removed. */
export async function search({ entries, database }: Options): Promise<void> {
  const { path: data, remove } = await tempDir('bench-search', '/var/tmp');
  const folders = Math.ceil(entries / folderSize);
  const source = fork(join(import.meta.dirname, '../simulated/huge-folder.ts'), [String(Math.ceil(entries / folders)), String(folders)]);
  const postgres = database === 'postgres' ? await startPostgres({ parent: '/var/tmp' }) : undefined;
  try {
    const [port] = (await once(source, 'message')) as [number];
    const url = await postgres?.createDatabase();
    const settings = { SHEAF_DATA_DIR: data, ...(url !== undefined && { SHEAF_DATABASE_URL: url }) };
    const where = url === undefined ? { data } : { url };
    await withSheaf(async (sheaf, user) => {
      const link = await store(user, `http://127.0.0.1:${port}`, entries);
      await (url === undefined ? showSize(data, entries) : vacuum(url));
      printTable(`Searches over ${entries} entries, ${database}`, await measure(user, entries));
      printTable(
        'The link is removed',
        await unlink(sheaf, user, link, { stored: () => storedFolders(where), gone: () => goneEntries(where) }),
      );
    }, settings);
  } finally {
    await postgres?.stop();
    await remove();
    source.kill();
  }
}

async function showSize(data: string, entries: number): Promise<void> {
  const sizes = await Promise.all((await readdir(data)).map(async (name) => (await stat(join(data, name))).size));
  console.log(`The database takes ${shown(sizes.reduce((sum, size) => sum + size, 0) / entries)} bytes an entry.`);
}

/** Links the server, and lists its folders one after the other; returns the link's start folder. */
async function store(user: User, server: string, entries: number): Promise<string> {
  const info = { server, username: 'mara', password: 'bench', authType: 'basic', enforceSSL: 'ENFORCE_MATCH' };
  const link = await user.link({ family: 'webdav', provider: 'WebDAV', info }, 'Bench');
  const { items: folders } = await user.ask(remoteUpdate, { linkUri: link, fresh: true, limit: 1000 });
  const listed = await timed(async () => {
    for (const { linkUri, name } of folders) {
      const look = () => user.ask(remoteUpdate, { linkUri, limit: 100, refresh: false, early: true });
      const seconds = await timed(async () => {
        for (let page = await look(); page.stale || page.total !== Math.ceil(entries / folders.length); page = await look())
          await sleep(betweenLooks);
      });
      tell({ what: `${name} listed, stored and indexed`, seconds: shown(seconds) });
    }
  });
  console.log(`Listing, storing and indexing took ${shown(listed)} s.`);
  return link;
}

/** A text that differs in each round, of the digits in the made-up names. */
const digits = (round: number, length: number): string => createHash('md5').update(`q${round}`).digest('hex').slice(0, length);

async function measure(user: User, entries: number): Promise<readonly Row[]> {
  const limit = wantedOf(entries);
  const rows: Row[] = [];
  const phase = async (what: string, queryOf: (round: number) => string, count = rounds): Promise<void> => {
    const times: number[] = [];
    for (let round = 0; round < count; round++)
      times.push(1000 * (await timed(() => user.ask(searchCall, { query: queryOf(round), limit: 50 }))));
    const p95 = percentile(times, 0.95);
    const row = {
      what,
      'median (ms)': shown(median(times)),
      'p95 (ms)': shown(p95),
      [`held (${limit} ms)`]: p95 <= limit ? 'yes' : 'no',
    };
    rows.push(row);
    tell(row);
  };
  await phase('in every name', () => 'img');
  await phase('three letters', (round) => digits(round, 3));
  await phase('five letters', (round) => digits(round, 5));
  await phase('one file', (round) => `-${100_000 + round}.jpg`);
  await phase('two words', (round) => `${digits(round, 3)} many`);
  await phase('with filters', (round) => `${digits(round, 3)} type:image >1gb date:2021`);
  await phase('nothing', () => 'nowhere');
  await phase('two letters', (round) => digits(round, 2));
  // All names are looked at.
  await phase('two letters that no name has', () => 'qz', 5);
  return rows;
}

const longestOf = (waits: readonly number[]): number => waits.reduce((longest, wait) => Math.max(longest, wait), 0);

/** Unlinks, and waits until the rows are deleted; others ask all the time whether the server answers, and change something of theirs. */
async function unlink(
  sheaf: SheafProcess,
  user: User,
  link: string,
  { stored, gone }: Readonly<Record<'stored' | 'gone', () => Promise<number>>>,
): Promise<readonly Row[]> {
  const phase = async (what: string, limit: number | undefined, work: () => Promise<unknown>): Promise<Row> => {
    const [reader, writer] = [standBy(sheaf.url), standByWriting(user)];
    const seconds = await timed(work);
    const [reads, writes] = [await reader.end(), await writer.end()];
    const longest = { read: longestOf(reads), write: longestOf(writes) };
    const isHeld = Math.max(longest.read, longest.write) <= wanted.wait && (limit === undefined || 1000 * seconds <= limit);
    const row = {
      what,
      seconds: shown(seconds),
      'longest wait of others (ms)': shown(longest.read),
      'their writes: median, p99, longest': [median(writes), percentile(writes, 0.99), longest.write].map(shown).join(', '),
      held: isHeld ? 'yes' : 'no',
    };
    tell(row);
    return row;
  };
  const removed = await phase('unlinked', wanted.unlinked, () => user.unlink(link));
  const deleted = await phase('until its rows are deleted', undefined, async () => {
    while ((await stored()) > 0) await sleep(betweenLooks);
  });
  // A job begins within five minutes.
  const dropped = await phase('until they are out of the index', undefined, async () => {
    while ((await gone()) > 0) await sleep(betweenLooks);
  });
  return [removed, deleted, dropped];
}
