import { type Entry, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type ErrorAnswer, type UndoResult } from '@sheaf/contract';
import { Type } from 'typebox';
import { entryAt } from '#/files/items/entry-at.ts';
import { type Links, cannotChange } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { Made } from './copying/file-copy.ts';
import { isEmpty, isUnchanged } from './copying/file-job.ts';
import type { InParts } from './copying/in-parts.ts';
import type { MoveBack } from './move-back.ts';
import { type Ends, openEnds } from './rows/ends.ts';
import type { ItemRow, ItemStore } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';
import { ensureFolder, putBack } from './versions/place.ts';
import { removeIncoming } from './versions/replace.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly inParts: InParts;
  readonly moveBack: MoveBack;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
}

const window = 200;
/** ms for removing an item. */
const timeout = 60_000;

const undoJob = 'transfers.undo';
const abandonJob = 'transfers.abandon';
const restoreJob = 'transfers.restore';
/** Milliseconds until the worker of a cancelled transfer has certainly let go. */
const afterCancel = 2000;

/** Removes what transfers have made or begun, and moves back what they have moved. */
export function createUndoing({ links, listings, transfers, items, inParts, moveBack, enqueue }: Deps) {
  /** Removes a file that is still what the transfer made of it, or a folder that is empty; then brings back what the file has replaced. */
  async function remove(transfer: TransferRow, item: ItemRow): Promise<UndoResult> {
    const signal = AbortSignal.timeout(timeout);
    const { to } = await openEnds(links, transfer, item.source);
    if (!to.connector.remove) throw cannotChange(to);
    const entry = await entryAt(to.connector, item.toPath, signal);
    if (item.action === 'delete') return undelete(item, to, entry, signal);
    if (item.isFolder === 1) {
      if (!entry) return 'undone';
      if (!(await isEmpty(to.connector, item.toPath, signal))) return 'left';
    } else {
      if (!entry) return bringBack(item, to, signal);
      if (item.made === null || !isUnchanged((JSON.parse(item.made) as Made).made, entry)) return changed(item, to, signal);
      // Without the old file, the new one is the only one of its name.
      if (item.action === 'replace' && !(await versionOf(item, to, signal))) return 'left';
    }
    await to.connector.remove(item.toPath, { signal });
    await listings.note(to.userLinkId, parentOf(item.toPath), { gone: nameOf(item.toPath) });
    return bringBack(item, to, signal);
  }

  /** Brings back what a mirror has deleted, unless its name is taken again. */
  async function undelete(item: ItemRow, to: Ends['to'], entry: Entry | undefined, signal: AbortSignal): Promise<UndoResult> {
    if (entry) return item.isFolder === 1 && entry.kind === 'folder' ? 'undone' : changed(item, to, signal);
    // A file without a version had gone before the mirror came to it.
    if (item.isFolder === 0 && item.version === null) return 'undone';
    if (item.isFolder === 0 && !(await versionOf(item, to, signal))) return 'left';
    const folder = item.isFolder === 1 ? item.toPath : parentOf(item.toPath);
    await ensureFolder(to.connector, folder, signal);
    await listings.forget(to.userLinkId, folder);
    return item.isFolder === 1 ? 'undone' : bringBack(item, to, signal);
  }

  /** Of a file that is not what the transfer made: an interrupted undo may have brought back the old one. */
  const changed = async (item: ItemRow, to: Ends['to'], signal: AbortSignal): Promise<UndoResult> =>
    item.version !== null && !(await versionOf(item, to, signal)) ? 'undone' : 'left';

  const versionOf = async ({ version }: ItemRow, { connector }: Ends['to'], signal: AbortSignal): Promise<Entry | undefined> =>
    version === null ? undefined : entryAt(connector, version, signal);

  /** Moves the file that the item has replaced back to its name, where it is kept. */
  async function bringBack(item: ItemRow, to: Ends['to'], signal: AbortSignal): Promise<UndoResult> {
    if (item.version === null || !(await versionOf(item, to, signal))) return item.action === 'replace' ? 'left' : 'undone';
    const entry = await putBack(to.connector, item.version, item.toPath, signal);
    await listings.note(to.userLinkId, parentOf(item.toPath), { put: entry });
    return 'undone';
  }

  /** Moves an item back to where it was, then brings back what it has replaced. */
  async function unmove(transfer: TransferRow, item: ItemRow): Promise<UndoResult> {
    const result = await moveBack(transfer, item);
    if (item.version === null) return result;
    const signal = AbortSignal.timeout(timeout);
    const { to } = await openEnds(links, transfer, item.source);
    if (result === 'left') return changed(item, to, signal);
    return (await entryAt(to.connector, item.toPath, signal)) ? result : bringBack(item, to, signal);
  }

  /** Undoes items one after the other, the last first, and stores what became of each; returns why the first of those that failed did. */
  async function eachMade(
    transfer: TransferRow,
    undo: (item: ItemRow) => Promise<UndoResult | undefined>,
  ): Promise<ErrorAnswer | undefined> {
    let error: ErrorAnswer | undefined;
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await items.madeItems(transfer.id, before, window);
      for (const item of rows) {
        before = item.seq;
        if (item.undo === 'undone') continue;
        try {
          const result = await undo(item);
          if (result) await items.plan(transfer.id, item.seq, { undo: result });
        } catch (cause) {
          if (!(cause instanceof AppError)) throw cause;
          error ??= cause.toAnswer();
        }
      }
      if (rows.length < window) return error;
    }
  }

  async function undoAll(transfer: TransferRow): Promise<void> {
    if (!(await transfers.change(transfer.id, [transfer.state], { isUndone: 1 }))) return;
    const isPart = ({ isFolder, isWhole }: ItemRow): boolean => isFolder === 1 && isWhole === 0;
    const moved =
      transfer.kind === 'move'
        ? await eachMade(transfer, async (item) => {
            const result = await unmove(transfer, item);
            return isPart(item) ? undefined : result;
          })
        : undefined;
    // Of a move only folders are left, and files that have changed since or could not be moved back.
    const left = await eachMade(transfer, async (item) => (transfer.kind !== 'move' || isPart(item) ? remove(transfer, item) : undefined));
    const error = moved ?? left;
    // What could not be undone can be tried again.
    await transfers.change(transfer.id, [transfer.state], {
      error: error ? JSON.stringify(error) : null,
      isUndone: error ? 0 : 1,
      undoLeft: error ? null : await items.leftByUndo(transfer.id),
    });
  }

  /** Brings back old files whose new ones have not taken their place, because the transfer was cancelled or given up in between. */
  async function endReplacing(transfer: TransferRow): Promise<void> {
    for (let after = 0; ;) {
      const rows = await items.versions(transfer.id, after, window);
      for (const item of rows) {
        after = item.seq;
        if (item.state === 'done') continue;
        const signal = AbortSignal.timeout(timeout);
        const ends = await openEnds(links, transfer, item.source);
        if (await entryAt(ends.to.connector, item.toPath, signal)) continue;
        await removeIncoming({ transfer, item, ends, toPath: item.toPath, signal });
        await bringBack(item, ends.to, signal);
        await items.plan(transfer.id, item.seq, { version: null, made: null });
      }
      if (rows.length < window) return;
    }
  }

  /** Removes the parts of files that a cancelled transfer had begun. */
  async function abandonAll(transfer: TransferRow): Promise<void> {
    await endReplacing(transfer);
    for (const item of await items.uploads(transfer.id, window)) {
      const ends = await openEnds(links, transfer, item.source);
      await inParts.abandon({ transfer, item, ends, toPath: item.toPath, signal: AbortSignal.timeout(timeout) });
      await items.plan(transfer.id, item.seq, { session: null, parts: null });
    }
  }

  const Payload = Type.Object({ transferId: Type.String() });
  const job = (kind: string, { accountId, id }: TransferRow, wait: number): JobRequest => ({
    scope: accountId,
    kind,
    payload: { transferId: id },
    // One after the other: what could not be undone is tried again by another job.
    lane: { name: `${kind}:${id}`, limit: 1 },
    priority: 'low',
    wait,
  });
  const handler = (kind: string, work: (transfer: TransferRow) => Promise<void>): JobHandler =>
    defineJob({
      kind,
      payload: Payload,
      async run({ scope, payload }) {
        const transfer = await transfers.find(scope, payload.transferId);
        if (transfer) await work(transfer);
      },
    });

  return {
    /**
     * Has the files removed that a copy made, or moved back what a move has moved, unless they have changed since; then the folders that are empty.
     * What was replaced comes back where the destination could keep it.
     */
    async undo(transfer: TransferRow): Promise<TransferRow> {
      // The job notes that it undoes: noted here, a kill before the job is stored would leave a transfer that nobody undoes.
      await enqueue(job(undoJob, transfer, transfer.state === 'canceled' ? afterCancel : 0));
      return { ...transfer, isUndone: 1 };
    },
    /** Has old files brought back whose new ones have not taken their place when the transfer was given up; what it has sent stays, for a retry. */
    restore: (transfer: TransferRow): Promise<unknown> => enqueue(job(restoreJob, transfer, afterCancel)),
    /** Has the parts removed that a cancelled transfer has sent of unfinished files. */
    abandon: (transfer: TransferRow): Promise<unknown> => enqueue(job(abandonJob, transfer, afterCancel)),

    handlers: [
      handler(undoJob, undoAll),
      handler(abandonJob, abandonAll),
      handler(restoreJob, async (transfer) => {
        // A retry finishes the files itself.
        if (transfer.state === 'failed') await endReplacing(transfer);
      }),
    ],
  };
}
