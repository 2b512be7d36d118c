import { setTimeout as sleep } from 'node:timers/promises';
import { addFolder, copyObjects, oneTransfer } from '@sheaf/contract';
import { unlessMissing } from '../missing.ts';
import type { Options, Protocol } from '../options.ts';
import { rcloneVersion, runBetween } from '../rclone.ts';
import { type Contender, takeTurns, timed } from '../rounds.ts';
import { type BenchServer, type Linking, startServer } from '../servers/server.ts';
import { withBigFile, withSheaf } from '../setting.ts';
import type { SheafProcess, User } from '../sheaf.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';
import { residentMemory, resetPeak } from '../usage.ts';

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
const mib = 2 ** 20;

interface Ends {
  readonly from: BenchServer;
  readonly to: BenchServer;
  readonly user: User;
  readonly fromFolder: string;
  readonly toFolder: string;
}

/** Copies between two links, against `rclone copy` between the same servers: one big file, and a folder of many small ones. */
export async function copy({ protocols, size, rounds }: Options): Promise<void> {
  const hasRclone = (await rcloneVersion()) !== undefined;
  const [large, small]: [Row[], Row[]] = [[], []];
  await withBigFile(size, async (file) => {
    for (const { from, to, wanted } of pairs) {
      if (!protocols.includes(from) || !protocols.includes(to)) continue;
      await unlessMissing(`${from} to ${to}`, () =>
        withEnds(from, to, async (ends, sheaf) => {
          await ends.from.place(file, 'big.bin');
          await resetPeak(sheaf.pid);
          const idle = await residentMemory(sheaf.pid);
          const seconds = await bothCopy(ends, 'big.bin', rounds, hasRclone);
          const { peak } = await residentMemory(sheaf.pid);
          const speed = (name: string): number | undefined => seconds.get(name) && size / mib / (seconds.get(name) ?? Number.NaN);
          const row = {
            pair: `${from} to ${to}`,
            'Sheaf MiB/s': shown(speed('sheaf')),
            'rclone MiB/s': shown(speed('rclone')),
            ...verdict(ratio(seconds), wanted),
            'MiB above idle': shown(peak - idle.now),
          };
          large.push(row);
          tell(row);
          await ends.from.fill('many', many, smallSize);
          const times = await bothCopy(ends, 'many', rounds, hasRclone);
          const folderRow = {
            pair: `${from} to ${to}`,
            'Sheaf s': shown(times.get('sheaf')),
            'rclone s': shown(times.get('rclone')),
            ...verdict(ratio(times), wantedMany),
          };
          small.push(folderRow);
          tell(folderRow);
        }),
      );
    }
  });
  printTable(`Copy of ${shown(size / mib)} MiB between two links`, large);
  printTable(`Copy of ${many} small files between two links`, small);
}

const ratio = (seconds: ReadonlyMap<string, number>): number | undefined => {
  const [sheaf, rclone] = [seconds.get('sheaf'), seconds.get('rclone')];
  return sheaf === undefined || rclone === undefined ? undefined : rclone / sheaf;
};

async function withEnds(from: Protocol, to: Protocol, work: (ends: Ends, sheaf: SheafProcess) => Promise<void>): Promise<void> {
  const source = await startServer[from]();
  const target = await startServer[to]();
  try {
    await withSheaf(async (sheaf, user) => {
      const fromFolder = await user.link(unlimited(source.linking), 'From');
      const toFolder = await user.link(unlimited(target.linking), 'To');
      await work({ from: source, to: target, user, fromFolder, toFolder }, sheaf);
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

/** Copies the item into a new folder each time, so that neither finds it there. */
function bothCopy({ from, to, user, fromFolder, toFolder }: Ends, name: string, rounds: number, hasRclone: boolean) {
  const { remote: fromRemote, remoteFolder: below } = from;
  const { remote: toRemote, remoteFolder: target } = to;
  const isFile = name.includes('.');
  let turn = 0;
  const contenders: Contender[] = [
    {
      name: 'sheaf',
      async run() {
        const into = await user.ask(addFolder, { parentLinkUri: toFolder, folderName: `sheaf ${name} ${++turn}`, conflict: 'fail' });
        return timed(() => copyBySheaf(user, `${fromFolder}/${name}`, into.linkUri));
      },
    },
  ];
  if (hasRclone && fromRemote && toRemote)
    contenders.push({
      name: 'rclone',
      run: () =>
        runBetween(fromRemote, toRemote, [
          'copy',
          `from:${joined(below, name)}`,
          `to:${joined(target, `rclone ${name} ${++turn}`)}${isFile ? '' : `/${name}`}`,
        ]),
    });
  return takeTurns(contenders, rounds);
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Resolves when the transfer is done; rejects when anything of it failed. */
async function copyBySheaf(user: User, linkUri: string, parentLinkUri: string): Promise<void> {
  const { transferId } = await user.ask(copyObjects, { linkUri: [linkUri], parentLinkUri, conflict: 'fail' });
  for (;;) {
    const transfer = await user.get(oneTransfer, { transferId });
    if (transfer.state === 'done') return;
    if (['failed', 'planned', 'canceled'].includes(transfer.state)) throw new Error(`the copy has ended as ${JSON.stringify(transfer)}`);
    await sleep(20);
  }
}
