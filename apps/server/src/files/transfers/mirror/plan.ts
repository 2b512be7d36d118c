import { type Connector, type Entry, fitName, joinPath, nameKey, nameOf, isTemporary } from '@sheaf/connectors';
import { AppError, appError, isBlank, isSegment } from '@sheaf/contract';
import { type Links, cannotChange, storedAt } from '#/files/items/open-item.ts';
import { readWholeFolder } from '#/files/listings/whole-folder.ts';
import { type Ends, isWithin, nameOfSource, openEnds, refuseIntoItself, sourcesOf } from '../rows/ends.ts';
import type { ItemRow, ItemStore, NewItem } from '../rows/item-store.ts';
import type { TransferRow, TransferStore } from '../rows/store.ts';
import { versionsFolder } from '../versions/place.ts';
import { differs } from './differs.ts';
import type { MirrorStore } from './store.ts';

interface Deps {
  readonly links: Links;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly store: MirrorStore;
}

/** Rows that are stored together. */
const batchSize = 1000;
/** Folders whose rows are fetched together. */
const foldersAtOnce = 50;

/** Entries of a folder at the destination, by the key of their names there. */
type Taken = ReadonlyMap<string, Entry>;
const nothing: Taken = new Map();

interface Place {
  readonly ends: Ends;
  readonly source: number;
  readonly parent: number | null;
  readonly fromFolder: string;
  readonly toFolder: string;
}

/**
 * Plans mirrors: compares each folder of the sources with its twin at the destination, always by fresh listings, and plans deletions only in folders
 * of which both listings were complete. An interrupted plan goes on with its folder.
 */
export function createMirrorPlanner({ links, transfers, items, store }: Deps) {
  async function planSources(transfer: TransferRow, signal: AbortSignal): Promise<void> {
    const places = sourcesOf(transfer);
    const all = await Promise.all(places.map((_, source) => openEnds(links, transfer, source)));
    const rows: NewItem[] = [];
    const kinds: Entry['kind'][] = [];
    const used = new Set<string>();
    let taken: Taken = nothing;
    for (const [source, ends] of all.entries()) {
      const { from, to } = ends;
      refuseUnableTo(transfer, ends);
      const entry = { ...(await from.connector.stat(from.path, { signal })), name: nameOfSource(ends) };
      if (entry.kind === 'folder') refuseIntoItself(ends);
      kinds.push(entry.kind);
      if (source === 0) {
        const whole = await readWholeFolder({ userId: transfer.accountId, connector: to.connector, path: to.path, signal });
        taken = byKey(to.connector, whole.entries);
        // Held for a moment only: rows of the sources are few.
        whole.release();
      }
      const place = { ends, source, parent: null, fromFolder: '', toFolder: to.path };
      const row = rowOf(place, entry, taken, used, rows.length + 1, from.path);
      refuseOverSources(all, ends, row);
      rows.push(row);
    }
    const sources = places.map((place, source) => ({ ...place, isFolder: kinds[source] === 'folder' }));
    await transfers.write(transfer, { sources: JSON.stringify(sources) });
    await items.insert(transfer.id, rows);
  }

  /** Rows of a folder, in batches: first what the source has, then what only the destination has. */
  async function* rowsOf(transfer: TransferRow, folder: ItemRow, firstSeq: number, signal: AbortSignal): AsyncGenerator<NewItem[]> {
    const ends = await openEnds(links, transfer, folder.source);
    const place = { ends, source: folder.source, parent: folder.seq, fromFolder: folder.fromPath, toFolder: folder.toPath };
    const whole =
      folder.action === 'create'
        ? undefined
        : await readWholeFolder({ userId: transfer.accountId, connector: ends.to.connector, path: folder.toPath, signal });
    try {
      const taken = whole ? byKey(ends.to.connector, whole.entries) : nothing;
      const used = new Set<string>();
      let seq = firstSeq;
      let rows: NewItem[] = [];
      if (folder.action !== 'delete')
        for await (const batch of ends.from.connector.list(folder.fromPath, { signal })) {
          for (const entry of batch) rows.push(rowOf(place, entry, taken, used, seq++, joinPath(folder.fromPath, entry.name)));
          if (rows.length < batchSize) continue;
          yield rows;
          rows = [];
        }
      for (const [key, entry] of taken) {
        if (used.has(key) || entry.name === versionsFolder || isTemporary(entry.name)) continue;
        rows.push(deletionOf(place, entry, seq++));
      }
      yield rows;
    } finally {
      whole?.release();
    }
  }

  /** Stores the items of a folder; removes those of an attempt that was interrupted. */
  async function planFolder(transfer: TransferRow, folder: ItemRow, firstSeq: number, signal: AbortSignal): Promise<number> {
    await items.removeChildren(transfer.id, folder);
    let seq = firstSeq;
    try {
      for await (const rows of rowsOf(transfer, folder, firstSeq, signal)) {
        await items.insert(transfer.id, rows);
        seq += rows.length;
      }
    } catch (error) {
      // The rest of the plan stays as it is, but nothing is deleted; a storage that cannot be reached at all fails the attempt.
      if (!isAboutFolder(error)) throw error;
      await items.removeChildren(transfer.id, folder);
      const unreadable = { action: 'problem', reason: 'unreadable', error: JSON.stringify(error.toAnswer()) } as const;
      await items.plan(transfer.id, folder.seq, { isListed: 1, ...unreadable });
      return firstSeq;
    }
    await items.plan(transfer.id, folder.seq, { isListed: 1 });
    return seq;
  }

  /** Why a complete plan must not start by itself: a source may be lost, unmounted, or the wrong one. */
  async function brake(transfer: TransferRow): Promise<AppError | undefined> {
    const { deleted, total } = await store.destination(transfer.id);
    if (await store.hasUnreadable(transfer.id)) return appError('MIRROR_SOURCE_UNREADABLE', {});
    const emptied = await store.emptied(transfer.id);
    if (emptied) return appError('MIRROR_SOURCE_EMPTY', { name: sourcesOf(transfer)[emptied.source]?.path ?? '' });
    return deleted * 2 > total ? appError('MIRROR_DELETES_MOST', { count: String(deleted), total: String(total) }) : undefined;
  }

  return {
    /** Plans what is still to be planned; a plan that needs a look does not start by itself. Rejects when an end cannot be reached. */
    async plan(transfer: TransferRow, signal: AbortSignal, progress: () => Promise<void>): Promise<void> {
      let seq = (await items.lastSeq(transfer.id)) + 1;
      if (seq === 1) {
        await planSources(transfer, signal);
        seq = (await items.lastSeq(transfer.id)) + 1;
      }
      for (;;) {
        const folders = await items.unlisted(transfer.id, foldersAtOnce);
        for (const folder of folders) {
          seq = await planFolder(transfer, folder, seq, signal);
          await progress();
        }
        if (folders.length === 0) break;
      }
      const error = await brake(transfer);
      if (error) await transfers.write(transfer, { isAutomatic: 0, error: JSON.stringify(error.toAnswer()) });
    },
  };
}

/** Rejects where the destination cannot delete, or cannot keep versions as wanted. */
function refuseUnableTo({ keepVersions }: TransferRow, { to }: Ends): void {
  const { remove, move, copy, createFolder } = to.connector;
  const keeps = keepVersions !== 'folder' || (createFolder && (move ?? copy));
  if (!remove || !keeps) throw cannotChange(to);
}

/** Rejects when a source lies in what is mirrored: it would be deleted there. */
function refuseOverSources(all: readonly Ends[], { to }: Ends, { toPath, fromPath }: NewItem): void {
  const target = storedAt(to, toPath);
  for (const { from } of all) {
    const source = storedAt(from, from.path);
    if (source.linkId === target.linkId && isWithin(source.path, target.path)) throw appError('INTO_ITSELF', { name: nameOf(fromPath) });
  }
}

type Planned = Pick<NewItem, 'action' | 'reason'> & { readonly name: string; readonly there?: Entry };

/** What a mirror does with an item of the source. Remembers the name that it has at the destination, which is not deleted then. */
function decide({ ends: { to }, parent, toFolder }: Place, entry: Entry, taken: Taken, used: Set<string>): Planned {
  const { name } = entry;
  const { limits, rewrites } = to.connector;
  const keyOf = (one: string): string => nameKey(limits?.names, one);
  if (entry.isLink) {
    used.add(keyOf(name));
    return { action: 'skip', reason: 'link', name };
  }
  const isReserved = parent === null && name === versionsFolder;
  const isStorable = isSegment(name) && !isBlank(name) && !isReserved;
  const fitted = isStorable ? fitName(limits?.names, name, entry.kind, toFolder) : undefined;
  if (!fitted) {
    used.add(keyOf(name));
    return { action: 'problem', reason: isStorable ? 'path_length' : 'name_refused', name };
  }
  const key = keyOf(fitted.name);
  if (used.has(key)) return { action: 'problem', reason: 'case_twin', name: fitted.name };
  used.add(key);
  const there = taken.get(key);
  if (entry.kind === 'file' && (entry.size ?? 0) > (limits?.fileBytes ?? Infinity))
    return { action: 'problem', reason: 'too_large', name: fitted.name };
  if (!there) return { action: 'create', reason: null, name: fitted.name };
  const at = { name: there.name, there };
  if (there.isLink || there.kind !== entry.kind) return { action: 'problem', reason: 'kind_differs', ...at };
  if (entry.kind === 'folder') return { action: 'merge', reason: null, ...at };
  return differs(entry, there, rewrites?.(there.name) ?? false)
    ? { action: 'replace', reason: 'name_taken', ...at }
    : { action: 'skip', reason: 'unchanged', ...at };
}

function rowOf(place: Place, entry: Entry, taken: Taken, used: Set<string>, seq: number, fromPath: string): NewItem {
  const { action, reason, name, there } = decide(place, entry, taken, used);
  const isFolder = entry.kind === 'folder';
  return {
    ...factsOf(place, entry, seq),
    fromPath,
    toPath: joinPath(place.toFolder, name),
    action,
    reason,
    takenModified: there ? Math.trunc(there.modified ?? 0) : null,
    isListed: isFolder && action !== 'skip' ? 0 : 1,
    state: action === 'skip' ? 'skipped' : 'waiting',
  };
}

/** An item that only the destination has. Links to other places stay: what they lead to is no part of the mirror. */
function deletionOf(place: Place, entry: Entry, seq: number): NewItem {
  const isLink = entry.isLink === true;
  return {
    ...factsOf(place, entry, seq),
    fromPath: joinPath(place.fromFolder, entry.name),
    toPath: joinPath(place.toFolder, entry.name),
    action: isLink ? 'skip' : 'delete',
    reason: isLink ? 'link' : 'not_at_source',
    takenModified: null,
    isListed: entry.kind === 'folder' && !isLink ? 0 : 1,
    state: isLink ? 'skipped' : 'waiting',
  };
}

const factsOf = ({ source, parent }: Place, { kind, size, modified, etag }: Entry, seq: number) => ({
  seq,
  parentSeq: parent,
  source,
  isFolder: kind === 'folder' ? 1 : 0,
  size: kind === 'folder' ? null : (size ?? null),
  modified: modified === undefined ? null : Math.trunc(modified),
  etag: etag ?? null,
  isWhole: 0,
});

/** Entries of a folder by the key of their names. */
function byKey({ limits }: Connector, entries: readonly Entry[]): Taken {
  const taken = new Map<string, Entry>();
  for (const entry of entries) {
    const key = nameKey(limits?.names, entry.name);
    if (!taken.has(key)) taken.set(key, entry);
  }
  return taken;
}

/** Whether an error concerns this folder alone. */
const isAboutFolder = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ['SOURCE_FORBIDS', 'ITEM_NOT_FOUND', 'NOT_A_FOLDER', 'FOLDER_TOO_LARGE', 'SOURCE_CANNOT'].includes(error.messageCode);
