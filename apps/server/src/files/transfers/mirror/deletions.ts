import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { isEmpty, isUnchanged } from '../copying/file-job.ts';
import { openEnds } from '../rows/ends.ts';
import type { ItemRow, ItemStore } from '../rows/item-store.ts';
import type { TransferRow, TransferStore } from '../rows/store.ts';
import { type Counters, type RunEnd, RunLost } from '../runner.ts';
import { moveToVersions } from '../versions/place.ts';
import type { MirrorStore } from './store.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly store: MirrorStore;
}

/** Rows fetched together. */
const window = 200;
/** Files deleted at the same time. */
const atOnce = 8;
/** Attempts of a deletion whose end cannot be reached; the transfer waits in between. */
const mostWaits = 100;

/** Deletes at the destination what the source of a mirror does not have, after everything has been copied. */
export function createDeletions({ links, listings, transfers, items, store }: Deps) {
  async function storeItem(transfer: TransferRow, item: ItemRow, change: Partial<ItemRow>): Promise<void> {
    if (!(await items.write(transfer.id, item.seq, transfer.run, change))) throw new RunLost();
  }

  /** Deletes the item if the source still does not have it and it is what was planned; false when it stays. */
  async function deleteItem(transfer: TransferRow, item: ItemRow, signal: AbortSignal): Promise<boolean> {
    const { from, to } = await openEnds(links, transfer, item.source);
    const { connector } = to;
    const { remove } = connector;
    if (!remove) throw appError('SOURCE_CANNOT', { provider: to.provider });
    if (await entryAt(from.connector, item.fromPath, signal)) return false;
    const entry = await entryAt(connector, item.toPath, signal);
    if (!entry) return true;
    if (item.isFolder === 1) {
      if (entry.kind !== 'folder' || !(await isEmpty(connector, item.toPath, signal))) return false;
      await remove(item.toPath, { signal });
      await listings.forget(to.userLinkId, item.toPath);
    } else {
      const { modified, ...rest } = entry;
      const now = { ...rest, ...(modified !== undefined && { modified: Math.trunc(modified) }) };
      if (entry.kind !== 'file' || !isUnchanged(plannedOf(item), now)) throw appError('CHANGED_MEANWHILE', { name: nameOf(item.toPath) });
      if (transfer.keepVersions === 'folder')
        await moveToVersions(connector, transfer, item.toPath, signal, (version) => storeItem(transfer, item, { version }));
      else await remove(item.toPath, { signal });
    }
    await listings.note(to.userLinkId, parentOf(item.toPath), { gone: nameOf(item.toPath) });
    return true;
  }

  /** Deletes the item and stores what became of it; returns the error with which the transfer has to wait. */
  async function attempt(transfer: TransferRow, item: ItemRow, counters: Counters, signal: AbortSignal): Promise<AppError | undefined> {
    try {
      const isDone = await deleteItem(transfer, item, signal);
      await storeItem(transfer, item, { state: isDone ? 'done' : 'skipped', error: null });
      if (isDone) counters.itemsDone += 1;
      return undefined;
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      const attempts = item.attempts + 1;
      const answer = JSON.stringify(error.toAnswer());
      if (isPassing(error) && attempts < mostWaits) {
        await storeItem(transfer, item, { attempts, error: answer });
        return error;
      }
      await storeItem(transfer, item, { state: 'failed', attempts, error: answer });
      counters.itemsFailed += 1;
      return undefined;
    }
  }

  /** Attempts the rows, some at the same time; returns the first error with which the transfer has to wait. */
  async function attemptAll(
    transfer: TransferRow,
    rows: readonly ItemRow[],
    width: number,
    counters: Counters,
    signal: AbortSignal,
  ): Promise<AppError | undefined> {
    for (let at = 0; at < rows.length; at += width) {
      signal.throwIfAborted();
      const ended = await Promise.allSettled(rows.slice(at, at + width).map((item) => attempt(transfer, item, counters, signal)));
      for (const end of ended) {
        if (end.status === 'rejected') throw end.reason;
        if (end.value) return end.value;
      }
    }
    return undefined;
  }

  return {
    /** Deletes what the plan says, files first, then folders that are empty. Deletes nothing when anything has failed before. */
    async run(transfer: TransferRow, counters: Counters, signal: AbortSignal): Promise<RunEnd> {
      if ((await transfers.sums(transfer.id)).itemsFailed > 0) return { kind: 'done' };
      if (await store.hasUnreadable(transfer.id)) {
        await store.holdBack(transfer.id);
        return { kind: 'done' };
      }
      for (let after = 0; ;) {
        const rows = await store.files(transfer.id, after, window);
        const error = await attemptAll(transfer, rows, atOnce, counters, signal);
        if (error) return { kind: 'wait', error: error.toAnswer() };
        after = rows.at(-1)?.seq ?? after;
        if (rows.length < window) break;
      }
      for (let before = Number.MAX_SAFE_INTEGER; ;) {
        const rows = await store.folders(transfer.id, before, window);
        // One after the other: a folder is empty only when those in it are gone.
        const error = await attemptAll(transfer, rows, 1, counters, signal);
        if (error) return { kind: 'wait', error: error.toAnswer() };
        before = rows.at(-1)?.seq ?? before;
        if (rows.length < window) return { kind: 'done' };
      }
    },
  };
}

const isPassing = (error: AppError): boolean =>
  isRow(error, 'CANNOT_CONNECT', 'SOURCE_BUSY', 'LINK_BUSY', 'LINK_UPLOADING', 'SOURCE_TIMEOUT', 'SOURCE_CONFUSED', 'DATABASE_UNAVAILABLE');

/** What the plan saw of the file. */
const plannedOf = ({ size, modified, etag }: ItemRow) => ({
  ...(size !== null && { size: Number(size) }),
  ...(modified !== null && { modified: Number(modified) }),
  ...(etag !== null && { etag }),
});
