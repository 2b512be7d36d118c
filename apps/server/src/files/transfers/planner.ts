import { type Entry, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type TransferConflictRule, foldName } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import { ListingReplaced, type Listings } from '#/files/listings/service.ts';
import { byRule, numbered } from './decide.ts';
import { baseNameOf } from './planning/base-name.ts';
import { entriesOf, plansFromStore } from './planning/entries.ts';
import { planEntries, unknownOf } from './planning/folder.ts';
import { usageOf } from './planning/room.ts';
import { rowOf } from './planning/rows.ts';
import { type TakenNames, createTakenNames, takenIn } from './planning/taken-names.ts';
import { type Ends, nameOfSource, openEnds, refuseIntoItself, sourcesOf } from './rows/ends.ts';
import { type ItemChoice, type ItemRow, type ItemStore, type NewItem, listedFromStore } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Pick<Listings, 'storedSince'>;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Folders whose rows are fetched together. */
const foldersAtOnce = 50;
/** Items of a plan that are decided anew together. */
const decidedAtOnce = 500;

/** Plans transfers: walks the sources folder by folder and stores what will happen to each item. An interrupted plan goes on with its folder. */
export function createPlanner({ links, listings, transfers, items, now }: Deps) {
  /** Largest files of the accounts at the destinations, asked once in each run of a plan. */
  const largest = new WeakMap<TransferRow, Promise<number | undefined>>();

  /** Opens the ends, the destination with the limits of its account. */
  async function endsOf(transfer: TransferRow, source: number, signal: AbortSignal): Promise<Ends> {
    const { to, ...ends } = await openEnds(links, transfer, source);
    const asked = largest.get(transfer) ?? usageOf(to, signal).then((usage) => usage?.fileBytes);
    largest.set(transfer, asked);
    const fileBytes = await asked;
    if (fileBytes === undefined) return { ...ends, to };
    return { ...ends, to: { ...to, connector: { ...to.connector, limits: { ...to.connector.limits, fileBytes } } } };
  }

  const takenAt = async ({ to }: Ends, folder: string, signal: AbortSignal, mayBeStored: boolean): Promise<TakenNames> =>
    takenIn(to.connector, (await entriesOf(listings, to, folder, { signal, now: now(), mayBeStored })).batches);

  async function planSources(transfer: TransferRow, signal: AbortSignal): Promise<void> {
    const rows: NewItem[] = [];
    const kinds: Entry['kind'][] = [];
    let taken: TakenNames | undefined;
    for (const source of sourcesOf(transfer).keys()) {
      const ends = await endsOf(transfer, source, signal);
      const { from, to } = ends;
      const entry = { ...(await from.connector.stat(from.path, { signal })), name: nameOfSource(ends) };
      if (entry.kind === 'folder') refuseIntoItself(ends);
      kinds.push(entry.kind);
      taken ??= await whole(transfer, (mayBeStored) => takenAt(ends, to.path, signal, mayBeStored));
      const row = rowOf(
        { ends, transfer, source, parent: null, seq: rows.length + 1, fromPath: from.path, toFolder: to.path },
        entry,
        taken,
      );
      taken.add({ name: nameOf(row.toPath), kind: entry.kind });
      rows.push(row);
    }
    const sources = sourcesOf(transfer).map((place, source) => ({ ...place, isFolder: kinds[source] === 'folder' }));
    await transfers.write(transfer, { sources: JSON.stringify(sources) });
    await items.insert(transfer.id, rows);
  }

  /** Stores the items of a folder; returns the next free number. */
  async function planFolder(transfer: TransferRow, folder: ItemRow, firstSeq: number, signal: AbortSignal): Promise<number> {
    const ends = await endsOf(transfer, folder.source, signal);
    try {
      return await whole(
        transfer,
        async (mayBeStored) => {
          const taken =
            folder.action === 'merge'
              ? await takenAt(ends, folder.toPath, signal, mayBeStored)
              : createTakenNames(ends.to.connector.limits?.names);
          const { batches, isStored } = await entriesOf(listings, ends.from, folder.fromPath, { signal, now: now(), mayBeStored });
          const seq = await planEntries(items, { transfer, ends, folder, taken, firstSeq }, batches);
          await items.listed(transfer.id, folder.seq, isStored);
          return seq;
        },
        () => items.removeChildren(transfer.id, folder, firstSeq),
      );
    } catch (error) {
      // A folder that cannot be read leaves the rest of the plan as it is; a source that cannot be reached at all fails the attempt.
      if (!isAboutFolder(error)) throw error;
      await items.removeChildren(transfer.id, folder, firstSeq);
      await items.plan(transfer.id, folder.seq, {
        isListed: 1,
        action: 'problem',
        reason: 'unreadable',
        error: JSON.stringify(error.toAnswer()),
      });
      return firstSeq;
    }
  }

  async function planUnlisted(transfer: TransferRow, signal: AbortSignal, progress: () => Promise<void>): Promise<void> {
    let seq = (await items.lastSeq(transfer.id)) + 1;
    for (let folders = await items.unlisted(transfer.id, foldersAtOnce); folders.length > 0;) {
      for (const folder of folders) {
        seq = await planFolder(transfer, folder, seq, signal);
        await progress();
      }
      folders = await items.unlisted(transfer.id, foldersAtOnce);
    }
  }

  /** Adds what a folder has that its stored listing had not; returns whether there was anything. */
  async function confirm(transfer: TransferRow, folder: ItemRow, signal: AbortSignal): Promise<boolean> {
    const ends = await endsOf(transfer, folder.source, signal);
    const known = new Set<string>();
    for await (const paths of items.children(transfer.id, folder.seq)) for (const path of paths) known.add(path);
    const firstSeq = (await items.lastSeq(transfer.id)) + 1;
    try {
      const found = unknownOf(ends.from.connector, folder.fromPath, known, signal);
      const first = await found.next();
      if (first.done) return false;
      const taken = await takenAt(ends, folder.toPath, signal, false);
      await planEntries(items, { transfer, ends, folder, taken, firstSeq }, withFirst(first.value, found));
      return true;
    } catch (error) {
      if (!isAboutFolder(error)) throw error;
      await items.removeChildren(transfer.id, folder, firstSeq);
      return false;
    }
  }

  return {
    /** Plans what is still to be planned; calls `progress` now and then. Rejects with the source's error when it cannot be reached. */
    async plan(transfer: TransferRow, signal: AbortSignal, progress: () => Promise<void>): Promise<void> {
      const [interrupted] = await items.unlisted(transfer.id, 1);
      if (interrupted) await items.removeChildren(transfer.id, interrupted);
      if ((await items.lastSeq(transfer.id)) === 0) await planSources(transfer, signal);
      await planUnlisted(transfer, signal, progress);
    },

    /**
     * Compares the folders that were planned from stored listings with their source, and plans what is new there. Returns whether anything is.
     * Called once everything else has run: the source may have got files since.
     */
    async confirm(transfer: TransferRow, signal: AbortSignal): Promise<boolean> {
      let isMore = false;
      // Part of what a killed worker has planned here may have run since.
      const [interrupted] = await items.unlisted(transfer.id, 1);
      if (interrupted && (await items.hasChildren(transfer.id, interrupted.seq)))
        await items.plan(transfer.id, interrupted.seq, { isListed: listedFromStore });
      for (let folders = await items.unconfirmed(transfer.id, foldersAtOnce); folders.length > 0;) {
        for (const folder of folders) {
          isMore = (await confirm(transfer, folder, signal)) || isMore;
          await items.plan(transfer.id, folder.seq, { isListed: 1 });
        }
        folders = await items.unconfirmed(transfer.id, foldersAtOnce);
      }
      await planUnlisted(transfer, signal, async () => undefined);
      return isMore;
    },

    /** Decides taken names anew: all, or those items. These may also have names that the destination changes: they can be left out, and taken in again. */
    async decide(transfer: TransferRow, rule: TransferConflictRule, choice: ItemChoice): Promise<void> {
      const renamedTo = new Set<string>();
      const openedEnds = sharedEnds((source) => openEnds(links, transfer, source));
      await eachOf(
        (after) => items.taken(transfer.id, choice, after, decidedAtOnce),
        async (row) => items.plan(transfer.id, row.seq, changed(row, await openedEnds(row.source), rule, renamedTo)),
      );
      // Without a choice, the decision is about taken names only.
      if (choice.seqs === undefined && choice.reason === undefined) return;
      const isSkipped = rule === 'skip';
      await eachOf(
        (after) => items.forced(transfer.id, choice, after, decidedAtOnce),
        async (row) => {
          if (isSkipped === (row.action === 'skip')) return;
          const isFolder = row.isFolder === 1 && row.isWhole === 0;
          if (isSkipped && isFolder) await items.removeBelow(transfer.id, row.seq);
          await items.plan(transfer.id, row.seq, {
            action: isSkipped ? 'skip' : 'rename',
            ...(isFolder && { isListed: isSkipped ? 1 : 0 }),
          });
        },
      );
    },
  };
}

/** Passes every row of a query that is asked for page by page, by the number of the last row. */
async function eachOf(page: (after: number) => Promise<readonly ItemRow[]>, work: (row: ItemRow) => Promise<void>): Promise<void> {
  for (let rows = await page(0); rows.length > 0;) {
    for (const row of rows) await work(row);
    rows = rows.length < decidedAtOnce ? [] : await page(rows.at(-1)?.seq ?? 0);
  }
}

/** Runs `work` with stored listings, and without them when one of them was replaced meanwhile. */
async function whole<T>(
  { kind }: Pick<TransferRow, 'kind'>,
  work: (mayBeStored: boolean) => Promise<T>,
  undo: () => Promise<void> = async () => undefined,
): Promise<T> {
  try {
    return await work(plansFromStore[kind]);
  } catch (error) {
    if (!(error instanceof ListingReplaced)) throw error;
    await undo();
    return work(false);
  }
}

async function* withFirst<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** Opens the ends of each source once. */
function sharedEnds(open: (source: number) => Promise<Ends>): (source: number) => Promise<Ends> {
  const opened = new Map<number, Promise<Ends>>();
  return (source) => {
    const ends = opened.get(source) ?? open(source);
    opened.set(source, ends);
    return ends;
  };
}

/** The plan of an item whose name is taken, by another rule. The number of a new name is settled when the item is made. */
function changed(row: ItemRow, ends: Ends, rule: TransferConflictRule, renamedTo: Set<string>): Partial<ItemRow> {
  const folder = parentOf(row.toPath);
  const { name } = baseNameOf(row, ends);
  const toPath = joinPath(folder, name);
  if (rule === 'rename') {
    const isTaken = (folded: string): boolean => renamedTo.has(joinPath(folder, folded));
    const free = numbered(name, row.isFolder === 1 ? 'folder' : 'file', { limits: ends.to.connector.limits, folder, isTaken });
    if (free === undefined) return {};
    renamedTo.add(joinPath(folder, foldName(free)));
    return { action: 'rename', reason: 'name_taken', toPath: joinPath(folder, free) };
  }
  if (row.reason === 'kind_differs') return rule === 'skip' ? { action: 'skip', toPath } : { action: 'problem', toPath };
  return { ...byRule(rule, row.modified ?? undefined, row.takenModified ?? 0), toPath };
}

/** Whether an error concerns this folder alone. */
const isAboutFolder = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ['SOURCE_FORBIDS', 'ITEM_NOT_FOUND', 'NOT_A_FOLDER', 'FOLDER_TOO_LARGE', 'SOURCE_CANNOT'].includes(error.messageCode);
