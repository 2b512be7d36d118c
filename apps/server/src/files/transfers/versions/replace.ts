import { type Connector, type Entry, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import { type FileCopier, type Made, factsOf } from '../copying/file-copy.ts';
import { type FileJob, isUnchanged } from '../copying/file-job.ts';
import type { TransferRow } from '../rows/store.ts';
import { canKeep, ensureFolder, moveToVersions, placeVersion, putBack, versionPathOf } from './place.ts';

/** End of the name of a new file that waits in the versions folder until it is complete and proven. */
const incomingEnd = '.incoming';

type Copied = Awaited<ReturnType<FileCopier['run']>>;

/** Keeps each file that is replaced, where the destination can, and stores its path; every other file goes to `copier` as it is. */
export function keepReplaced(copier: FileCopier): FileCopier {
  return {
    ...copier,
    async run(job) {
      const { transfer, item, ends } = job;
      const { connector } = ends.to;
      if (item.action !== 'replace' || !keepsVersions(transfer) || !canKeep(connector)) return copier.run(job);
      const { copy, move } = connector;
      // A source that moves by itself takes its file straight to the place of the old one.
      const movesItself = transfer.kind === 'move' && ends.from.userLinkId === ends.to.userLinkId && move !== undefined;
      const kept = copy && !movesItself ? await keepCopy(job, copy) : undefined;
      if (kept) return replaceInPlace(copier, job, kept.path);
      if (move) return swap(copier, job);
      if (transfer.kind === 'mirror') throw appError('SOURCE_CANNOT', { provider: ends.to.provider });
      return copier.run(job);
    },
  };
}

/** Where the old file is kept; nowhere when there was none any more. */
interface Kept {
  readonly path?: string;
}

/** Where the new file waits. */
function incomingPathOf(transfer: TransferRow, toPath: string): string {
  const version = versionPathOf(transfer, toPath);
  return joinPath(parentOf(version), `${nameOf(version)}${incomingEnd}`);
}

/** Whether Sheaf keeps what the transfer replaces; the versions of the provider itself are kept by the provider. */
const keepsVersions = ({ keepVersions }: Pick<TransferRow, 'keepVersions'>): boolean => keepVersions !== 'provider';

/** Copies the old file to the versions, so that the name always leads to a whole file; undefined where the destination does not copy. */
async function keepCopy(
  { transfer, item, ends: { to }, toPath, signal, store }: FileJob,
  copy: NonNullable<Connector['copy']>,
): Promise<Kept | undefined> {
  const { connector } = to;
  if (item.version !== null && (await entryAt(connector, item.version, signal))) return { path: item.version };
  const old = await entryAt(connector, toPath, signal);
  // An interrupted run may have moved it, and its new file waits.
  if (!old) return connector.move ? undefined : {};
  let path = versionPathOf(transfer, toPath);
  const kept = await entryAt(connector, path, signal);
  // An interrupted run has copied it. A partial copy has another size.
  if (kept?.size === undefined || kept.size !== old.size) {
    try {
      await ensureFolder(connector, parentOf(path), signal);
      path = await placeVersion(path, (to) => copy(toPath, to, { signal }));
    } catch (error) {
      if (!isRow(error, 'SOURCE_CANNOT')) throw error;
      return undefined;
    }
  }
  await store({ version: path });
  return { path };
}

/** Replaces a file whose copy is kept. When the new bytes are damaged, the old file comes back. */
async function replaceInPlace(copier: FileCopier, job: FileJob, version: string | undefined): Promise<Copied> {
  const { ends, toPath, signal, store } = job;
  const { connector } = ends.to;
  const old = await entryAt(connector, toPath, signal);
  try {
    return await copier.run(job);
  } catch (error) {
    if (!isRow(error, 'CONTENT_DAMAGED') || version === undefined) throw error;
    const now = await entryAt(connector, toPath, signal);
    // Where the destination itself refuses damaged bytes, the old file is still there.
    if (now && old && isUnchanged(old, now)) throw error;
    if (now) await connector.remove?.(toPath, { signal });
    await putBack(connector, version, toPath, signal);
    await store({ version: null });
    throw error;
  }
}

/** Uploads the new file beside the versions, then moves the old file there and the new one to its name. Each step may have been done by an earlier run. */
async function swap(copier: FileCopier, job: FileJob): Promise<Copied> {
  const { transfer, item, ends, toPath, signal } = job;
  const { connector } = ends.to;
  const version = versionPathOf(transfer, toPath);
  const incoming = incomingPathOf(transfer, toPath);
  let made = item.made;
  const isSwapped = async (): Promise<Entry | undefined> => {
    if (made === null || (await entryAt(connector, incoming, signal))) return undefined;
    const entry = await entryAt(connector, toPath, signal);
    return entry && isSameFile(entry, (JSON.parse(made) as Made).made) ? entry : undefined;
  };
  /** Stores what was made, whose time or etag moving may have changed; for a move, only then removes the source. */
  const end = async (entry: Entry): Promise<Copied> => {
    if (made !== null) {
      await job.store({ made: JSON.stringify({ ...(JSON.parse(made) as Made), made: factsOf(entry) }) });
      if (transfer.kind === 'move') await copier.removeSource(job, made);
    }
    return { entry, toPath };
  };
  const swapped = await isSwapped();
  if (swapped) return end(swapped);
  await ensureFolder(connector, parentOf(version), signal);
  const isBegun = (await entryAt(connector, incoming, signal)) !== undefined;
  await copier.run({
    ...job,
    // It replaces nothing yet: the source may move or copy it by itself, and what an interrupted run has finished there is its own.
    item: { ...item, action: 'create' },
    toPath: incoming,
    ifExists: isBegun ? 'replace' : 'fail',
    leavesSource: true,
    // The row keeps the name that the file gets in the end.
    store: async (change) => {
      if (change.made !== undefined) made = change.made;
      await job.store({ ...change, ...(change.toPath !== undefined && { toPath: item.toPath }) });
    },
  });
  let kept: string | undefined;
  let entry: Entry;
  try {
    if (await entryAt(connector, toPath, signal))
      kept = await moveToVersions(connector, transfer, toPath, signal, (path) => job.store({ version: path }));
    entry = (await connector.move?.(incoming, toPath, { signal })) ?? (await connector.stat(toPath, { signal }));
  } catch (error) {
    if (signal.aborted) throw error;
    if (kept !== undefined && !(await entryAt(connector, toPath, signal))) {
      await connector.move?.(kept, toPath, { signal });
      await job.store({ version: null });
    }
    await removeIncoming(job);
    throw error;
  }
  return end(entry);
}

/** Removes the new file that could not take its place; a file that the source itself has moved goes back. */
export async function removeIncoming({
  transfer,
  ends: { from, to },
  item,
  toPath,
  signal,
}: Pick<FileJob, 'transfer' | 'ends' | 'item' | 'toPath' | 'signal'>): Promise<void> {
  const incoming = incomingPathOf(transfer, toPath);
  if (!(await entryAt(to.connector, incoming, signal))) return;
  if (await entryAt(from.connector, item.fromPath, signal)) await to.connector.remove?.(incoming, { signal });
  else if (from.userLinkId === to.userLinkId) await to.connector.move?.(incoming, item.fromPath, { signal });
}

/** Moving may change the etag. */
const isSameFile = ({ size, modified }: Entry, made: Partial<Entry>): boolean =>
  isUnchanged({ ...(size !== undefined && { size }), ...(modified !== undefined && { modified }) }, { ...made });
