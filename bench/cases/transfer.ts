import { startProxy } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import type { Options, Protocol } from '../options.ts';
import { type Peer, startPeer } from '../peer.ts';
import { type Rclone, serveRemote } from '../rclone.ts';
import { type Contender, median, takeTurns } from '../rounds.ts';
import type { BenchServer } from '../servers/server.ts';
import { type Setting, withBigFile, withSetting } from '../setting.ts';
import { type Row, printTable, shown, tell, verdict } from '../table.ts';
import { cpuSeconds, residentMemory, resetPeak } from '../usage.ts';

type Wanted = Readonly<Partial<Record<Protocol, number>>>;

/** Speeds that Sheaf is to reach, as multiples of rclone's. */
const wantedDown: Wanted = { sftp: 1.1, ftp: 1.4, ftps: 1.2, webdav: 1, s3: 1 };
const wantedUp: Wanted = { sftp: 1.1, ftp: 2, webdav: 1.9, s3: 3.5 };
const wantedFarAway: Wanted = { sftp: 2.5 };
/** Milliseconds each way, half the round trip. */
const distance = 10;
const mib = 2 ** 20;

/** One big file from each server. */
export async function download({ protocols, size, rounds }: Options): Promise<void> {
  const rows = await forEach(protocols, size, (setting, protocol, file) =>
    downloadFrom(setting, { protocol, file, size, rounds, wanted: wantedDown }),
  );
  printTable(`Download of ${shown(size / mib)} MiB (MiB/s)`, rows);
}

/** One file over a line of 20 ms a round trip; a quarter of the size, as others take long for it. */
export async function latency({ size, rounds }: Options): Promise<void> {
  const bytes = Math.ceil(size / 4);
  const rows = await forEach(['sftp'], bytes, async ({ server, ...setting }, protocol, file) => {
    const proxy = await startProxy({ target: { port: server.port } });
    proxy.delay(distance);
    try {
      const far = { ...server, ...server.behind(proxy.port) };
      return await downloadFrom({ ...setting, server: far }, { protocol, file, size: bytes, rounds, wanted: wantedFarAway });
    } finally {
      await proxy.stop();
    }
  });
  printTable(`Download of ${shown(bytes / mib)} MiB at a round trip of ${2 * distance} ms (MiB/s)`, rows);
}

/** One big file to each server; rclone takes it by WebDAV. */
export async function upload({ protocols, size, rounds }: Options): Promise<void> {
  const rows = await forEach(protocols, size, (setting, protocol, file) =>
    uploadTo(setting, { protocol, file, size, rounds, wanted: wantedUp }),
  );
  printTable(`Upload of ${shown(size / mib)} MiB (MiB/s)`, rows);
}

async function forEach(
  protocols: readonly Protocol[],
  size: number,
  work: (setting: Setting, protocol: Protocol, file: string) => Promise<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  await withBigFile(size, async (file) => {
    for (const protocol of protocols) {
      await withSetting(protocol, async (setting) => {
        const row = await work(setting, protocol, file);
        rows.push(row);
        tell(row);
      });
    }
  });
  return rows;
}

interface Task {
  readonly protocol: Protocol;
  readonly file: string;
  readonly size: number;
  readonly rounds: number;
  readonly wanted: Wanted;
}

async function downloadFrom(setting: Setting, task: Task): Promise<Row> {
  const { server, user, hasRclone } = setting;
  await server.place(task.file, 'big.bin');
  const folder = await user.link(server.linking, 'Bench');
  const item = await user.find(folder, 'big.bin');
  const others = await startOthers('http', server, hasRclone);
  const url = user.downloadUrl(item.linkUri);
  return compare(setting, task, others, {
    sheaf: async () => (await fetchAway(url, task.size, { headers: user.headers })).seconds,
    rclone: async (base) => (await fetchAway(`${base}/big.bin`, task.size)).seconds,
    direct: () => server.fetchDirectly('big.bin', task.size),
  });
}

async function uploadTo(setting: Setting, task: Task): Promise<Row> {
  const { server, user, hasRclone } = setting;
  const { file, size } = task;
  const folder = await user.link(server.linking, 'Bench');
  // rclone 1.60 ends an upload over FTPS before the server has taken its end, and reports it as failed.
  const canRclone = hasRclone && task.protocol !== 'ftps';
  const others = await startOthers('webdav', server, canRclone);
  const cleaned = async (name: string, work: () => Promise<number>): Promise<number> => {
    const seconds = await work();
    await server.remove(name);
    return seconds;
  };
  return compare(setting, task, others, {
    sheaf: () =>
      cleaned('sheaf.bin', async () => (await send(file, user.uploadUrl(folder, 'sheaf.bin'), size, { headers: user.headers })).seconds),
    rclone: (base) => cleaned('rclone.bin', async () => (await send(file, `${base}/rclone.bin`, size)).seconds),
    direct: () => cleaned('direct.bin', () => server.sendDirectly(file, 'direct.bin', size)),
  });
}

/** rclone before several storages, which is the peer, and before the measured one alone. */
interface Others {
  readonly peer: Peer | undefined;
  readonly single: Rclone | undefined;
}

async function startOthers(kind: 'http' | 'webdav', server: BenchServer, able: boolean): Promise<Others> {
  if (!able || !server.remote) return { peer: undefined, single: undefined };
  return { peer: await startPeer(kind, server), single: await serveRemote(kind, server.remote, server.remoteFolder) };
}

interface Ways {
  sheaf(): Promise<number>;
  rclone(base: string): Promise<number>;
  direct(): Promise<number>;
}

/** Takes turns, and reads CPU time and memory of the processes that stand between client and server. */
async function compare({ sheaf }: Setting, task: Task, { peer, single }: Others, ways: Ways): Promise<Row> {
  const idle = await residentMemory(sheaf.pid);
  await resetPeak(sheaf.pid);
  const [sheafCpu, peerCpu]: [number[], number[]] = [[], []];
  const contenders: Contender[] = [
    { name: 'sheaf', run: () => withCpu(sheaf.pid, sheafCpu, ways.sheaf) },
    ...(peer ? [{ name: 'peer', run: () => withCpu(peer.pid, peerCpu, () => ways.rclone(`${peer.url}/${peer.folder}`)) }] : []),
    ...(single ? [{ name: 'single', run: () => ways.rclone(single.url) }] : []),
    { name: 'direct', run: ways.direct },
  ];
  try {
    const seconds = await takeTurns(contenders, task.rounds);
    const speed = (name: string): number => task.size / mib / (seconds.get(name) ?? Number.NaN);
    const { peak } = await residentMemory(sheaf.pid);
    return {
      protocol: task.protocol,
      Sheaf: shown(speed('sheaf')),
      rclone: shown(speed('peer')),
      'rclone, one remote': shown(speed('single')),
      'own client': shown(speed('direct')),
      ...verdict(peer && speed('sheaf') / speed('peer'), task.wanted[task.protocol]),
      'CPU s Sheaf': shown(median(sheafCpu)),
      'CPU s rclone': shown(median(peerCpu)),
      'MiB above idle': shown(peak - idle.now),
    };
  } finally {
    await single?.stop();
    await peer?.stop();
  }
}

async function withCpu(pid: number, used: number[], work: () => Promise<number>): Promise<number> {
  const before = await cpuSeconds(pid);
  const seconds = await work();
  used.push((await cpuSeconds(pid)) - before);
  return seconds;
}
