/** `npm run bench -- [list|enter|million|locked|search|plan|people|download|upload|latency|small|start|cloud|copy|copy-small|strangers|zip|thumbnails|vault|programs] [--protocol sftp,ftp,ftps,webdav,s3,azure,gateway] [--provider Box,B2] [--size 1GiB] [--line 119MiB] [--rounds 3] [--entries 1000000] [--database sqlite|postgres] [--verify auto|hashes|read_back|size]`: see docs/performance.md. */
import { statfsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { cloud } from './cases/cloud.ts';
import { copy, copySmall } from './cases/copy.ts';
import { enter } from './cases/enter.ts';
import { list } from './cases/list.ts';
import { locked } from './cases/locked.ts';
import { million } from './cases/million.ts';
import { people } from './cases/people.ts';
import { plan } from './cases/plan.ts';
import { programs } from './cases/programs.ts';
import { search } from './cases/search.ts';
import { small } from './cases/small.ts';
import { start } from './cases/start.ts';
import { strangers } from './cases/strangers.ts';
import { thumbnails } from './cases/thumbnails.ts';
import { download, latency, upload } from './cases/transfer.ts';
import { vault } from './cases/vault.ts';
import { zip } from './cases/zip.ts';
import { unlessMissing } from './missing.ts';
import { type Options, readOptions } from './options.ts';
import { rcloneVersion } from './rclone.ts';

const cases: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  start,
  small,
  list,
  enter,
  million,
  locked,
  search,
  plan,
  people,
  download,
  latency,
  upload,
  cloud,
  copy,
  'copy-small': copySmall,
  strangers,
  zip,
  thumbnails,
  vault,
  programs,
};
const memory = '/dev/shm';
/** Where `npm test` has unpacked vsftpd, which Debian does not install beside ProFTPD. */
const vsftpdFolder = join(import.meta.dirname, '../.cache/vsftpd/usr/sbin');

/** Files go to memory where it has room for four of them, so that no disk is measured. */
function preferMemory(size: number): boolean {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 4 * size) return false;
  process.env['TMPDIR'] = memory;
  return true;
}

process.env['PATH'] += `:${vsftpdFolder}`;
const options = readOptions(process.argv.slice(2), Object.keys(cases));
const inMemory = preferMemory(options.size);
console.log(`${cpus().length} cores, files ${inMemory ? 'in memory' : 'on disk'}, ${(await rcloneVersion()) ?? 'no rclone'}`);
for (const name of options.cases) {
  console.error(`${name} … (load ${loadavg()[0]?.toFixed(1)})`);
  try {
    await unlessMissing(name, async () => cases[name]?.(options));
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
  }
}
