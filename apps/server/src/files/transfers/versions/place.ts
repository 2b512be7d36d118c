import { type Connector, type Entry, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { type TransferPlace, appError, foldName, parseLinkUri } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import { freeName } from '#/files/items/free-name.ts';
import { isEmpty } from '../copying/file-job.ts';
import { targetOf } from '../rows/ends.ts';
import type { TransferRow } from '../rows/store.ts';

/** Folder in the destination folder that keeps what mirrors replace and delete; mirrors never compare it. */
export const versionsFolder = '.sheaf-versions';
/** Most versions of one path in one run. */
const mostVersions = 100;

/**
 * Where a transfer keeps the version of a file at the destination: a folder for each transfer, named by its time (UTC) and the end of its id. Two that begin
 * within a second must not take each other's versions for their own.
 */
export function versionPathOf(transfer: Pick<TransferRow, 'id' | 'target' | 'createdAt'>, toPath: string): string {
  const { linkUri }: TransferPlace = targetOf(transfer);
  const folder = parseLinkUri(linkUri)?.path ?? '/';
  const below = folder === '/' ? toPath.slice(1) : toPath.slice(folder.length + 1);
  const date = new Date(Number(transfer.createdAt)).toISOString().slice(0, 19).replaceAll(':', '-');
  return joinPath(joinPath(joinPath(folder, versionsFolder), `${date}-${transfer.id.slice(-6)}`), below);
}

/** Makes the folder and those above it, where they are missing. */
export async function ensureFolder(connector: Connector, folder: string, signal: AbortSignal): Promise<void> {
  if (folder === '/' || (await entryAt(connector, folder, signal))?.kind === 'folder') return;
  await ensureFolder(connector, parentOf(folder), signal);
  try {
    await connector.createFolder?.(folder, { signal });
  } catch (error) {
    // Another file of this run made it meanwhile.
    if (!isRow(error, 'NAME_TAKEN')) throw error;
  }
}

/** Puts a version under its path by `place`, or under the next free name; returns the path. */
export async function placeVersion(path: string, place: (path: string) => Promise<Entry>): Promise<string> {
  const taken = new Set<string>();
  let candidate = path;
  while (taken.size < mostVersions) {
    try {
      await place(candidate);
      return candidate;
    } catch (error) {
      if (!isRow(error, 'NAME_TAKEN')) throw error;
      taken.add(foldName(nameOf(candidate)));
      const name = freeName(nameOf(path), 'file', (folded) => taken.has(folded));
      if (name === undefined) throw error;
      candidate = joinPath(parentOf(path), name);
    }
  }
  throw appError('NAME_TAKEN', { name: nameOf(path) });
}

/** Whether the connector has what keeping old files needs. */
export const canKeep = ({ createFolder, move, copy, remove }: Connector): boolean =>
  createFolder !== undefined && (move ?? (copy && remove)) !== undefined;

/** Moves a file of the destination to the versions; returns its path there. `before` is called with each path before it is tried. */
export async function moveToVersions(
  connector: Connector,
  transfer: TransferRow,
  toPath: string,
  signal: AbortSignal,
  before: (path: string) => Promise<void>,
): Promise<string> {
  const path = versionPathOf(transfer, toPath);
  await ensureFolder(connector, parentOf(path), signal);
  const { move, copy, remove } = connector;
  if (move)
    return placeVersion(path, async (to) => {
      await before(to);
      return move(toPath, to, { signal });
    });
  if (!copy || !remove) throw appError('SOURCE_CANNOT', { provider: '' });
  const kept = await placeVersion(path, (to) => copy(toPath, to, { signal }));
  await before(kept);
  await remove(toPath, { signal });
  return kept;
}

/** Moves a kept file back to its name, and removes the folders of versions that are empty then. Rejects with NAME_TAKEN when the name is taken. */
export async function putBack(connector: Connector, version: string, toPath: string, signal: AbortSignal): Promise<Entry> {
  const { move, copy, remove } = connector;
  let entry: Entry;
  if (move) entry = await move(version, toPath, { signal });
  else {
    if (!copy || !remove) throw appError('SOURCE_CANNOT', { provider: '' });
    entry = await copy(version, toPath, { signal });
    await remove(version, { signal });
  }
  await removeEmptied(connector, parentOf(version), signal);
  return entry;
}

/** Removes the folder and those above it, up to the folder of all versions, as long as they are empty. */
export async function removeEmptied(connector: Connector, folder: string, signal: AbortSignal): Promise<void> {
  if (!folder.includes(`/${versionsFolder}`) || !(await isEmpty(connector, folder, signal))) return;
  await connector.remove?.(folder, { signal });
  await removeEmptied(connector, parentOf(folder), signal);
}
