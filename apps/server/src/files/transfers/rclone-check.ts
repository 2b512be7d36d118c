import type { TransferPlace } from '@sheaf/contract';
import { remoteNameOf } from '#/links/rclone/remote-names.ts';
import { sourcesOf, targetOf } from './rows/ends.ts';
import type { TransferRow } from './rows/store.ts';

/** Most commands of one transfer. */
const mostChecks = 20;

/** Commands with which rclone compares what a transfer has copied, byte by byte; undefined where the source has gone. */
export function rcloneChecksOf(transfer: TransferRow): string[] | undefined {
  if (transfer.kind === 'move') return undefined;
  const to = targetOf(transfer);
  return sourcesOf(transfer)
    .slice(0, mostChecks)
    .flatMap((from) => checkOf(from, to) ?? []);
}

function checkOf({ path, isFolder, newName }: TransferPlace, to: TransferPlace): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const target = remotePath(to.path);
  const command = (from: string, into: string, more = ''): string =>
    `rclone check --download --one-way ${quoted(from)} ${quoted(into)}${more} --combined -`;
  if (isFolder) return command(remotePath(path), below(target, newName ?? name));
  // A file under another name has no counterpart that rclone would find.
  if (newName !== undefined && newName !== name) return undefined;
  return command(remotePath(path.slice(0, -name.length - 1)), target, ` --include ${quoted(`/${globOf(name)}`)}`);
}

/** A path that begins with the link's name, as a path of its remote. */
function remotePath(path: string): string {
  const [link = '', ...names] = path.split('/');
  return `${remoteNameOf(link)}:${names.join('/')}`;
}

const below = (folder: string, name: string): string => (folder.endsWith(':') ? folder + name : `${folder}/${name}`);
/** Rclone's filters: https://rclone.org/filtering/#patterns */
const globOf = (name: string): string => name.replaceAll(/[\\*?[\]{}]/g, '\\$&');
/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
