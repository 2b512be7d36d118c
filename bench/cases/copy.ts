import { setTimeout as sleep } from 'node:timers/promises';
import { type InputOf, addFolder, copyObjects, oneTransfer } from '@sheaf/contract';
import { unlessMissing } from '../missing.ts';
import type { Options, Protocol } from '../options.ts';
import { rcloneVersion, runBetween } from '../rclone.ts';
import { type Contender, median, takeTurns, timed } from '../rounds.ts';
import { type BenchServer, type Linking, startServer } from '../servers/server.ts';
import { withBigFile, withSheaf } from '../setting.ts';
import type { SheafProcess, User } from '../sheaf.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';
import { cpuSeconds, residentMemory, resetPeak } from '../usage.ts';

/** Pairs of servers, and what Sheaf is to reach as a multiple of `rclone copy`, hashes and read-back included. */
const pairs: readonly { readonly from: Protocol; readonly to: Protocol; readonly wanted: number }[] = [
  { from: 'sftp', to: 's3', wanted: 2.2 },
  { from: 'sftp', to: 'webdav', wanted: 1 },
  { from: 'sftp', to: 'ftp', wanted: 1 },
  { from: 's3', to: 'sftp', wanted: 1 },
  { from: 'ftp', to: 'sftp', wanted: 1 },
  { from: 'webdav', to: 's3', wanted: 1 },
];
const many = 1000;
const smallSize = 10 * 1024;
const wantedMany = 2;
/** MiB above idle that a transfer may take, whatever is copied. */
const wantedMemory = 150;
const mib = 2 ** 20;

interface Ends {
  readonly pair: string;
  readonly sheaf: SheafProcess;
  readonly from: BenchServer;
  readonly to: BenchServer;
  readonly user: User;
  readonly fromFolder: string;
  readonly toFolder: string;
  readonly verify: Options['verify'];
}

/** Copies one big file between two links, against `rclone copy` between the same servers. */
export async function copy({ protocols, size, rounds, verify }: Options): Promise<void> {
  const rows: Row[] = [];
  await withBigFile(size, (file) =>
    betweenPairs({ protocols, verify }, async (ends, { wanted }) => {
      await ends.from.place(file, 'big.bin');
      const { seconds, ratio, ...used } = await bothCopy(ends, 'big.bin', rounds);
      const speed = (name: string): string => shown(size / mib / (seconds.get(name) ?? Number.NaN));
      const row = {
        pair: ends.pair,
        'Sheaf MiB/s': speed('sheaf'),
        'rclone MiB/s': speed('rclone'),
        ...verdict(ratio, wanted),
        'CPU s': shown(used.cpu),
        'MiB above idle': shown(used.memory),
        [`≤ ${wantedMemory}`]: used.memory <= wantedMemory ? 'yes' : 'no',
      };
      rows.push(row);
      tell(row);
    }),
  );
  printTable(`Copy of ${shown(size / mib)} MiB between two links`, rows);
}

/** Copies a folder of many small files between two links, against `rclone copy` between the same servers. */
export async function copySmall({ protocols, rounds, verify }: Options): Promise<void> {
  const rows: Row[] = [];
  await betweenPairs({ protocols, verify }, async (ends) => {
    await ends.from.fill('many', many, smallSize);
    const { seconds, ratio, ...used } = await bothCopy(ends, 'many', rounds);
    const row = {
      pair: ends.pair,
      'Sheaf s': shown(seconds.get('sheaf')),
      'rclone s': shown(seconds.get('rclone')),
      ...verdict(ratio, wantedMany),
      'CPU ms a file': shown((1000 * used.cpu) / many),
      'MiB above idle': shown(used.memory),
      [`≤ ${wantedMemory}`]: used.memory <= wantedMemory ? 'yes' : 'no',
    };
    rows.push(row);
    tell(row);
  });
  printTable(`Copy of ${many} small files between two links`, rows);
}

async function betweenPairs(
  { protocols, verify }: Pick<Options, 'protocols' | 'verify'>,
  work: (ends: Ends, pair: (typeof pairs)[number]) => Promise<void>,
) {
  for (const pair of pairs) {
    if (!protocols.includes(pair.from) || !protocols.includes(pair.to)) continue;
    await unlessMissing(`${pair.from} to ${pair.to}`, () => withEnds(pair.from, pair.to, (ends) => work({ ...ends, verify }, pair)));
  }
}

const ratio = (seconds: ReadonlyMap<string, number>): number | undefined => {
  const [sheaf, rclone] = [seconds.get('sheaf'), seconds.get('rclone')];
  return sheaf === undefined || rclone === undefined ? undefined : rclone / sheaf;
};

async function withEnds(from: Protocol, to: Protocol, work: (ends: Omit<Ends, 'verify'>) => Promise<void>): Promise<void> {
  const source = await startServer[from]();
  const target = await startServer[to]();
  try {
    await withSheaf(async (sheaf, user) => {
      const fromFolder = await user.link(unlimited(source.linking), 'From');
      const toFolder = await user.link(unlimited(target.linking), 'To');
      await work({ pair: `${from} to ${to}`, sheaf, from: source, to: target, user, fromFolder, toFolder });
    });
  } finally {
    await source.stop();
    await target.stop();
  }
}

/** With as many connections as rclone takes for its transfers, and one for browsing. */
const unlimited = ({ info, ...linking }: Linking): Linking => ({
  ...linking,
  info: 'numConcurrentConnections' in info ? { ...info, numConcurrentConnections: '5' } : info,
});

/** Copies the item into a new folder each time, so that neither finds it there. CPU is Sheaf's median in seconds, memory its peak in MiB above idle. */
async function bothCopy({ sheaf, from, to, user, fromFolder, toFolder, verify }: Ends, name: string, rounds: number) {
  await resetPeak(sheaf.pid);
  const idle = await residentMemory(sheaf.pid);
  const cpu: number[] = [];
  const { remote: fromRemote, remoteFolder: below } = from;
  const { remote: toRemote, remoteFolder: target } = to;
  const isFile = name.includes('.');
  let turn = 0;
  const contenders: Contender[] = [
    {
      name: 'sheaf',
      async run() {
        const into = await user.ask(addFolder, { parentLinkUri: toFolder, folderName: `sheaf ${name} ${++turn}`, conflict: 'fail' });
        const before = await cpuSeconds(sheaf.pid);
        const seconds = await timed(() => copyBySheaf(user, { linkUri: [`${fromFolder}/${name}`], parentLinkUri: into.linkUri, verify }));
        cpu.push((await cpuSeconds(sheaf.pid)) - before);
        return seconds;
      },
    },
  ];
  if ((await rcloneVersion()) !== undefined && fromRemote && toRemote)
    contenders.push({
      name: 'rclone',
      run: () =>
        runBetween(fromRemote, toRemote, [
          'copy',
          `from:${joined(below, name)}`,
          `to:${joined(target, `rclone ${name} ${++turn}`)}${isFile ? '' : `/${name}`}`,
        ]),
    });
  const seconds = await takeTurns(contenders, rounds);
  const { peak } = await residentMemory(sheaf.pid);
  return { seconds, ratio: ratio(seconds), cpu: median(cpu.slice(1)), memory: peak - idle.now };
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Resolves when the transfer is done; rejects when anything of it failed. */
async function copyBySheaf(user: User, what: Pick<InputOf<typeof copyObjects>, 'linkUri' | 'parentLinkUri' | 'verify'>): Promise<void> {
  const { transferId } = await user.ask(copyObjects, { ...what, conflict: 'fail' });
  for (;;) {
    const transfer = await user.get(oneTransfer, { transferId });
    if (transfer.state === 'done') return;
    if (['failed', 'planned', 'canceled'].includes(transfer.state)) throw new Error(`the copy has ended as ${JSON.stringify(transfer)}`);
    await sleep(20);
  }
}
