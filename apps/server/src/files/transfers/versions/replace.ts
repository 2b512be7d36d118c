import { type Connector, type Entry, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import type { FileCopier, Made } from '../copying/file-copy.ts';
import { type FileJob, entryAt, isRow, isUnchanged } from '../copying/file-job.ts';
import { ensureFolder, moveToVersions, placeVersion, versionPathOf } from './place.ts';

/** End of the name of a new file that waits in the versions folder until it is complete and proven. */
const incomingEnd = '.incoming';

type Copied = Awaited<ReturnType<FileCopier['run']>>;

/** Lets mirrors keep the file that they replace; every other file goes to `copier` as it is. */
export function keepReplaced(copier: FileCopier): FileCopier {
  return {
    async run(job) {
      const { transfer, item, ends } = job;
      if (transfer.kind !== 'mirror' || item.action !== 'replace' || transfer.keepVersions !== 'folder') return copier.run(job);
      const { copy } = ends.to.connector;
      if (copy && (await keepCopy(job, copy))) return copier.run(job);
      return swap(copier, job);
    },
  };
}

/** Copies the old file to the versions, so that the name always leads to a whole file; false where the source does not copy. */
async function keepCopy({ transfer, ends: { to }, toPath, signal }: FileJob, copy: NonNullable<Connector['copy']>): Promise<boolean> {
  const { connector } = to;
  const old = await entryAt(connector, toPath, signal);
  // An interrupted run may have moved it, and its new file waits.
  if (!old) return connector.move === undefined;
  const path = versionPathOf(transfer, toPath);
  const kept = await entryAt(connector, path, signal);
  // An interrupted run has copied it. A partial copy has another size.
  if (kept && kept.size === old.size) return true;
  try {
    await ensureFolder(connector, parentOf(path), signal);
    await placeVersion(path, (to) => copy(toPath, to, { signal }));
    return true;
  } catch (error) {
    if (!isRow(error, 'SOURCE_CANNOT')) throw error;
    return false;
  }
}

/** Uploads the new file beside the versions, then moves the old file there and the new one to its name. Each step may have been done by an earlier run. */
async function swap(copier: FileCopier, job: FileJob): Promise<Copied> {
  const { transfer, item, ends, toPath, signal } = job;
  const { connector } = ends.to;
  const version = versionPathOf(transfer, toPath);
  const incoming = joinPath(parentOf(version), `${nameOf(version)}${incomingEnd}`);
  const isSwapped = async (): Promise<Entry | undefined> => {
    if (item.made === null || (await entryAt(connector, incoming, signal))) return undefined;
    const entry = await entryAt(connector, toPath, signal);
    return entry && isSameFile(entry, (JSON.parse(item.made) as Made).made) ? entry : undefined;
  };
  const swapped = await isSwapped();
  if (swapped) return { entry: swapped, toPath };
  await ensureFolder(connector, parentOf(version), signal);
  await copier.run({
    ...job,
    toPath: incoming,
    ifExists: 'replace',
    // The row keeps the name that the file gets in the end.
    store: (change) => job.store({ ...change, toPath: item.toPath }),
  });
  let kept: string | undefined;
  try {
    if (await entryAt(connector, toPath, signal)) kept = await moveToVersions(connector, transfer, toPath, signal);
    const entry = await connector.move?.(incoming, toPath, { signal });
    return { entry: entry ?? (await connector.stat(toPath, { signal })), toPath };
  } catch (error) {
    if (signal.aborted) throw error;
    if (kept !== undefined) await connector.move?.(kept, toPath, { signal });
    await connector.remove?.(incoming, { signal });
    throw error;
  }
}

/** Moving may change the etag. */
const isSameFile = ({ size, modified }: Entry, made: Partial<Entry>): boolean =>
  isUnchanged({ ...(size !== undefined && { size }), ...(modified !== undefined && { modified }) }, { ...made });
