import { type Connector, type Entry, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type TransferConflictRule, foldName, isFileName } from '@sheaf/contract';
import { freeName } from '#/files/items/free-name.ts';
import type { Links } from '#/files/items/place.ts';
import { type Decision, byRule, decide } from './decide.ts';
import { type Ends, isSamePlace, nameOfSource, openEnds, refuseIntoItself, sourcesOf } from './rows/ends.ts';
import type { ItemRow, ItemStore, NewItem } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';

interface Deps {
  readonly links: Links;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
}

/** Rows that are stored together. */
const batchSize = 1000;
/** Folders whose rows are fetched together. */
const foldersAtOnce = 50;
/** Items of a plan that are decided anew together. */
const decidedAtOnce = 500;

type Taken = ReadonlyMap<string, Pick<Entry, 'kind' | 'modified'>>;
const nothingTaken: Taken = new Map();

/** Plans transfers: walks the sources folder by folder and stores what will happen to each item. An interrupted plan goes on with its folder. */
export function createPlanner({ links, transfers, items }: Deps) {
  async function planSources(transfer: TransferRow, signal: AbortSignal): Promise<void> {
    const rows: NewItem[] = [];
    const kinds: Entry['kind'][] = [];
    const inTarget = new Map<string, Pick<Entry, 'kind' | 'modified'>>();
    for (const source of sourcesOf(transfer).keys()) {
      const ends = await openEnds(links, transfer, source);
      const { from, to } = ends;
      const entry = { ...(await from.connector.stat(from.path, { signal })), name: nameOfSource(from) };
      if (entry.kind === 'folder') refuseIntoItself(ends);
      kinds.push(entry.kind);
      if (source === 0) for (const [name, taken] of await entriesOf(to.connector, to.path, signal)) inTarget.set(name, taken);
      const row = rowOf(
        { ends, transfer, source, parent: null, seq: rows.length + 1, fromPath: from.path, toFolder: to.path },
        entry,
        inTarget,
      );
      inTarget.set(nameOf(row.toPath), { kind: entry.kind });
      rows.push(row);
    }
    const sources = sourcesOf(transfer).map((place, source) => ({ ...place, isFolder: kinds[source] === 'folder' }));
    await transfers.write(transfer, { sources: JSON.stringify(sources) });
    await items.insert(transfer.id, rows);
  }

  /** Stores the items of a folder; removes those of an attempt that was interrupted. */
  async function planFolder(transfer: TransferRow, folder: ItemRow, firstSeq: number, signal: AbortSignal): Promise<number> {
    const ends = await openEnds(links, transfer, folder.source);
    await items.removeChildren(transfer.id, folder.seq);
    const taken = folder.action === 'merge' ? await entriesOf(ends.to.connector, folder.toPath, signal) : nothingTaken;
    let seq = firstSeq;
    let rows: NewItem[] = [];
    try {
      for await (const batch of ends.from.connector.list(folder.fromPath, { signal })) {
        for (const entry of batch) {
          const fromPath = joinPath(folder.fromPath, entry.name);
          const place = { ends, transfer, source: folder.source, parent: folder.seq, seq, fromPath, toFolder: folder.toPath };
          rows.push(rowOf(place, entry, taken));
          seq += 1;
        }
        if (rows.length >= batchSize) {
          await items.insert(transfer.id, rows);
          rows = [];
        }
      }
    } catch (error) {
      // A folder that cannot be read leaves the rest of the plan as it is; a source that cannot be reached at all fails the attempt.
      if (!isAboutFolder(error)) throw error;
      await items.removeChildren(transfer.id, folder.seq);
      await items.plan(transfer.id, folder.seq, {
        isListed: 1,
        action: 'problem',
        reason: 'unreadable',
        error: JSON.stringify(error.toAnswer()),
      });
      return firstSeq;
    }
    await items.insert(transfer.id, rows);
    await items.plan(transfer.id, folder.seq, { isListed: 1 });
    return seq;
  }

  return {
    /** Plans what is still to be planned; calls `progress` now and then. Rejects with the source's error when it cannot be reached. */
    async plan(transfer: TransferRow, signal: AbortSignal, progress: () => Promise<void>): Promise<void> {
      let seq = (await items.lastSeq(transfer.id)) + 1;
      if (seq === 1) {
        await planSources(transfer, signal);
        seq = (await items.lastSeq(transfer.id)) + 1;
      }
      for (;;) {
        const folders = await items.unlisted(transfer.id, foldersAtOnce);
        if (folders.length === 0) return;
        for (const folder of folders) {
          seq = await planFolder(transfer, folder, seq, signal);
          await progress();
        }
      }
    },

    /** Decides taken names anew; returns whether folders have to be listed now. */
    async decide(transfer: TransferRow, rule: TransferConflictRule, seqs?: readonly number[]): Promise<void> {
      const renamedTo = new Set<string>();
      for (let after = 0; ;) {
        const rows = await items.taken(transfer.id, after, decidedAtOnce, seqs);
        for (const row of rows) {
          after = row.seq;
          await items.plan(transfer.id, row.seq, changed(row, rule, renamedTo));
        }
        if (rows.length < decidedAtOnce) return;
      }
    },
  };
}

/** The plan of an item whose name is taken, by another rule. The number of a new name is settled when the item is made. */
function changed(row: ItemRow, rule: TransferConflictRule, renamedTo: Set<string>): Partial<ItemRow> {
  const folder = parentOf(row.toPath);
  const name = nameOf(row.fromPath);
  const toPath = joinPath(folder, name);
  if (rule === 'rename') {
    const free = freeName(name, row.isFolder === 1 ? 'folder' : 'file', (folded) => renamedTo.has(joinPath(folder, folded)));
    if (free === undefined) return {};
    renamedTo.add(joinPath(folder, foldName(free)));
    return { action: 'rename', reason: 'name_taken', toPath: joinPath(folder, free) };
  }
  if (row.reason === 'kind_differs') return rule === 'skip' ? { action: 'skip', toPath } : { action: 'problem', toPath };
  return { ...byRule(rule, row.modified ?? undefined, row.takenModified ?? 0), toPath };
}

interface Place {
  readonly ends: Ends;
  readonly transfer: TransferRow;
  readonly source: number;
  readonly parent: number | null;
  readonly seq: number;
  readonly fromPath: string;
  readonly toFolder: string;
}

function rowOf({ ends, transfer, source, parent, seq, fromPath, toFolder }: Place, entry: Entry, taken: Taken): NewItem {
  const { kind, conflict } = transfer;
  const isFolder = entry.kind === 'folder';
  const { name, action, reason, takenModified } = decisionOf(ends, { entry, taken, rule: conflict, kind, fromPath, toFolder });
  const isWhole = isFolder && movesWhole(ends, transfer, action);
  return {
    seq,
    parentSeq: parent,
    source,
    fromPath,
    toPath: joinPath(toFolder, name),
    isFolder: isFolder ? 1 : 0,
    size: isFolder ? null : (entry.size ?? null),
    modified: entry.modified === undefined ? null : Math.trunc(entry.modified),
    etag: entry.etag ?? null,
    action,
    reason,
    takenModified: takenModified === null ? null : Math.trunc(takenModified),
    isListed: isFolder && !isWhole ? 0 : 1,
    isWhole: isWhole ? 1 : 0,
    state: action === 'skip' ? 'skipped' : 'waiting',
  };
}

interface Asked {
  readonly entry: Entry;
  readonly taken: Taken;
  readonly rule: TransferConflictRule;
  readonly kind: TransferRow['kind'];
  readonly fromPath: string;
  readonly toFolder: string;
}

function decisionOf(ends: Ends, { entry, taken, rule, kind, fromPath, toFolder }: Asked): Decision {
  const { name } = entry;
  if (entry.isLink) return { action: 'skip', reason: 'link', name, takenModified: null };
  if (!isFileName(name)) return { action: 'problem', reason: 'name_refused', name, takenModified: null };
  const isSame = isSamePlace(ends, fromPath, joinPath(toFolder, name));
  return decide({ entry, taken, rule, kind, isSamePlace: isSame });
}

/** Whether the source can move a folder itself, with all that it holds. */
const movesWhole = ({ from, isSameLink }: Ends, { kind }: Pick<TransferRow, 'kind'>, action: Decision['action']): boolean =>
  kind === 'move' && isSameLink && from.connector.move !== undefined && from.path !== '/' && (action === 'create' || action === 'rename');

/** Entries of a folder by name. */
async function entriesOf(connector: Connector, folder: string, signal: AbortSignal): Promise<Taken> {
  const entries = new Map<string, Pick<Entry, 'kind' | 'modified'>>();
  for await (const batch of connector.list(folder, { signal }))
    for (const { name, kind, modified } of batch) entries.set(name, { kind, ...(modified !== undefined && { modified }) });
  return entries;
}

/** Whether an error concerns this folder alone. */
const isAboutFolder = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ['SOURCE_FORBIDS', 'ITEM_NOT_FOUND', 'NOT_A_FOLDER', 'FOLDER_TOO_LARGE', 'SOURCE_CANNOT'].includes(error.messageCode);
