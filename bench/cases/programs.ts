import { createAppPassword, programAddresses } from '@sheaf/contract';
import { freePort } from '@sheaf/testbed';
import { fetchAway, send, limitLine } from '../curl.ts';
import type { Options, Protocol } from '../options.ts';
import { type Door, ourDoors, rcloneDoors } from '../programs/doors.ts';
import { type Contender, median, takeTurns } from '../rounds.ts';
import { type Setting, withBigFile, withSetting } from '../setting.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';
import { cpuSeconds } from '../usage.ts';

const many = 10_000;
const mib = 2 ** 20;
/** Milliseconds within which a stored folder of that many entries is to be told, and begins to be told. */
const [wantedWhole, wantedFirst] = [200, 30];
/** Parts of the speed of our own calls that programs are to reach, and multiples of rclone's. */
const [wantedDown, wantedUp, wantedOfRclone] = [0.95, 0.9, 1.2];
/** Rounds before those that count: Node compiles what runs often. */
const warmingUp = 3;

/** What programs get over WebDAV, S3 and SFTP: a stored folder, one big file down and up; beside our own calls and rclone's servers over the same storage. */
export async function programs({ protocols, size, line, rounds }: Options): Promise<void> {
  if (line !== undefined) limitLine(line);
  const listed: Row[] = [];
  const moved: Row[] = [];
  await withBigFile(size, async (file) => {
    for (const protocol of protocols)
      await withSetting(
        protocol,
        async (setting) => {
          const task = { protocol, file, size, rounds };
          await withDoors(setting, file, async (ours, theirs, folder) => {
            for (const row of await listings(setting, task, ours, theirs)) listed.push(row);
            for (const row of await transfers(setting, task, ours, theirs, folder)) moved.push(row);
          });
        },
        { SHEAF_SFTP_PORT: String(await freePort()) },
      );
  });
  printTable(`A stored folder of ${many} told to programs (ms)`, listed);
  printTable(`${shown(size / mib)} MiB for programs (MiB/s)`, moved);
}

interface Task {
  readonly protocol: Protocol;
  readonly file: string;
  readonly size: number;
  readonly rounds: number;
}

type Doors = readonly Door[];

async function withDoors(
  { server, sheaf, user, hasRclone }: Setting,
  file: string,
  work: (ours: Doors, theirs: Doors, folder: string) => Promise<void>,
): Promise<void> {
  // Before rclone looks: it keeps what it has seen of a folder.
  await server.fill('many', many);
  await server.place(file, 'big.bin');
  const folder = await user.link(server.linking, 'Bench');
  const made = await user.ask(createAppPassword, { name: 'Bench', linkUri: [], rights: 'write' });
  const ours = await ourDoors(sheaf.url, await user.get(programAddresses, { userLinkId: folder.slice(1) }), made);
  const theirs = hasRclone && server.remote ? await rcloneDoors(server.remote, server.remoteFolder) : [];
  try {
    await work(ours, theirs, folder);
  } finally {
    for (const door of [...ours, ...theirs]) await door.stop();
  }
}

/** rclone's server of that protocol; its WebDAV beside our S3, which it does not serve. */
const otherOf = (theirs: Doors, { kind }: Door): Door | undefined => theirs.find((one) => one.kind === (kind === 's3' ? 'webdav' : kind));

async function listings({ sheaf }: Setting, { protocol, rounds }: Task, ours: Doors, theirs: Doors): Promise<Row[]> {
  const rows: Row[] = [];
  for (const door of ours) {
    const { list } = door;
    if (!list) continue;
    const [firsts, cpu]: [number[], number[]] = [[], []];
    const other = otherOf(theirs, door)?.list;
    const contenders: Contender[] = [
      {
        name: 'sheaf',
        async run(round) {
          const before = await cpuSeconds(sheaf.pid);
          const { seconds, first } = await list('many', many);
          if (round >= warmingUp) {
            firsts.push(1000 * first);
            cpu.push(1000 * ((await cpuSeconds(sheaf.pid)) - before));
          }
          return 1000 * seconds;
        },
      },
      ...(other ? [{ name: 'rclone', run: async () => 1000 * (await other('many', many)).seconds }] : []),
    ];
    const found = await takeTurns(contenders, rounds, warmingUp);
    const [whole, rclone] = [found.get('sheaf') ?? Number.NaN, found.get('rclone')];
    const row = {
      protocol,
      'told by': door.kind,
      Sheaf: shown(whole),
      [`≤ ${wantedWhole}`]: whole <= wantedWhole ? 'yes' : 'no',
      'first byte': shown(median(firsts)),
      [`≤ ${wantedFirst}`]: median(firsts) <= wantedFirst ? 'yes' : 'no',
      'CPU ms': shown(median(cpu)),
      rclone: shown(rclone),
      ...verdict(rclone && rclone / whole, wantedOfRclone),
    };
    rows.push(row);
    tell(row);
  }
  return rows;
}

async function transfers(
  { server, sheaf, user }: Setting,
  { protocol, file, size, rounds }: Task,
  ours: Doors,
  theirs: Doors,
  folder: string,
): Promise<Row[]> {
  const item = await user.find(folder, 'big.bin');
  const rows: Row[] = [];
  for (const door of ours)
    for (const way of ['down', 'up'] as const) {
      const cpu: number[] = [];
      const withCpu = async (work: () => Promise<number>): Promise<number> => {
        const before = await cpuSeconds(sheaf.pid);
        const seconds = await work();
        cpu.push((await cpuSeconds(sheaf.pid)) - before);
        return seconds;
      };
      const go = async (one: Pick<Door, 'fetch' | 'send'>): Promise<number> => {
        if (way === 'down') return one.fetch('big.bin', size);
        const seconds = await one.send(file, 'up.bin', size);
        await server.remove('up.bin');
        return seconds;
      };
      const own = {
        fetch: async () => (await fetchAway(user.downloadUrl(item.linkUri), size, { headers: user.headers })).seconds,
        send: async (from: string, name: string) =>
          (await send(from, user.uploadUrl(folder, name), size, { headers: user.headers })).seconds,
      };
      const other = otherOf(theirs, door);
      const found = await takeTurns(
        [
          { name: 'sheaf', run: () => withCpu(() => go(door)) },
          { name: 'own', run: () => go(own) },
          ...(other ? [{ name: 'rclone', run: () => go(other) }] : []),
        ],
        rounds,
      );
      const speed = (name: string): number => size / mib / (found.get(name) ?? Number.NaN);
      const ofOwn = speed('sheaf') / speed('own');
      const wanted = way === 'down' ? wantedDown : wantedUp;
      const row = {
        protocol,
        by: door.kind,
        way,
        Sheaf: shown(speed('sheaf')),
        'own call': shown(speed('own')),
        'of own': shown(ofOwn),
        [`wanted of own`]: shown(wanted),
        'held of own': door.kind !== 'sftp' ? (ofOwn >= wanted ? 'yes' : 'no') : '–',
        rclone: shown(speed('rclone')),
        ...verdict(other && speed('sheaf') / speed('rclone'), wantedOfRclone),
        'CPU s': shown(median(cpu)),
      };
      rows.push(row);
      tell(row);
    }
  return rows;
}
