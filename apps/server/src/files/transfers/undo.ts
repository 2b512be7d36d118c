import { type Entry, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type ErrorAnswer } from '@sheaf/contract';
import { Type } from 'typebox';
import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { Made } from './copying/file-copy.ts';
import { entryAt, isEmpty, isUnchanged } from './copying/file-job.ts';
import type { InParts } from './copying/in-parts.ts';
import type { MoveBack } from './move-back.ts';
import { type Ends, openEnds } from './rows/ends.ts';
import type { ItemRow, ItemStore } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';
import { putBack } from './versions/place.ts';

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
const patience = 60_000;

const undoJob = 'transfers.undo';
const abandonJob = 'transfers.abandon';
/** Milliseconds until the worker of a cancelled transfer has certainly let go. */
const afterCancel = 2000;

/** Removes what transfers have made or begun, and moves back what they have moved. */
export function createUndoing({ links, listings, transfers, items, inParts, moveBack, enqueue }: Deps) {
  /** Removes a file that is still what the transfer made of it, or a folder that is empty; then brings back what the file has replaced. */
  async function remove(transfer: TransferRow, item: ItemRow): Promise<void> {
    const signal = AbortSignal.timeout(patience);
    const { to } = await openEnds(links, transfer, item.source);
    if (!to.connector.remove) return;
    if (item.isFolder === 1) {
      if (item.action === 'merge' || !(await isEmpty(to.connector, item.toPath, signal))) return;
    } else {
      const entry = await entryAt(to.connector, item.toPath, signal);
      if (!entry) return bringBack(item, to, signal);
      if (item.made === null || !isUnchanged((JSON.parse(item.made) as Made).made, entry)) return;
      // Without the old file, the new one is the only one of its name.
      if (item.action === 'replace' && !(await versionOf(item, to, signal))) return;
    }
    await to.connector.remove(item.toPath, { signal });
    await listings.note(to.userLinkId, parentOf(item.toPath), { gone: nameOf(item.toPath) });
    await bringBack(item, to, signal);
  }

  const versionOf = async ({ version }: ItemRow, { connector }: Ends['to'], signal: AbortSignal): Promise<Entry | undefined> =>
    version === null ? undefined : entryAt(connector, version, signal);

  /** Moves the file that the item has replaced back to its name, where it is kept. */
  async function bringBack(item: ItemRow, to: Ends['to'], signal: AbortSignal): Promise<void> {
    if (item.version === null || !(await versionOf(item, to, signal))) return;
    const entry = await putBack(to.connector, item.version, item.toPath, signal);
    await listings.note(to.userLinkId, parentOf(item.toPath), { put: entry });
  }

  /** Moves an item back to where it was, then brings back what it has replaced. */
  async function unmove(transfer: TransferRow, item: ItemRow): Promise<void> {
    await moveBack(transfer, item);
    if (item.version === null) return;
    const signal = AbortSignal.timeout(patience);
    const { to } = await openEnds(links, transfer, item.source);
    // A file that has changed since stays where it is.
    if (!(await entryAt(to.connector, item.toPath, signal))) await bringBack(item, to, signal);
  }

  /** Undoes items one after the other, the last first; returns why the first of those that failed did. */
  async function eachMade(transfer: TransferRow, undo: (item: ItemRow) => Promise<void>): Promise<ErrorAnswer | undefined> {
    let error: ErrorAnswer | undefined;
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await items.madeItems(transfer.id, before, window);
      for (const item of rows) {
        before = item.seq;
        try {
          await undo(item);
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
    const moved = transfer.kind === 'move' ? await eachMade(transfer, (item) => unmove(transfer, item)) : undefined;
    // Of a move only folders are left, and files that have changed since or could not be moved back.
    const left = await eachMade(transfer, async (item) => {
      if (transfer.kind === 'copy' || item.isFolder === 1) await remove(transfer, item);
    });
    const error = moved ?? left;
    // What could not be undone can be tried again.
    await transfers.change(transfer.id, [transfer.state], { error: error ? JSON.stringify(error) : null, isUndone: error ? 0 : 1 });
  }

  /** Removes the parts of files that a cancelled transfer had begun. */
  async function abandonAll(transfer: TransferRow): Promise<void> {
    for (const item of await items.uploads(transfer.id, window)) {
      const ends = await openEnds(links, transfer, item.source);
      await inParts.abandon({ transfer, item, ends, toPath: item.toPath, signal: AbortSignal.timeout(patience) });
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
      await enqueue(job(undoJob, transfer, 0));
      return { ...transfer, isUndone: 1 };
    },
    /** Has the parts removed that a cancelled transfer has sent of unfinished files. */
    abandon: (transfer: TransferRow): Promise<unknown> => enqueue(job(abandonJob, transfer, afterCancel)),

    handlers: [handler(undoJob, undoAll), handler(abandonJob, abandonAll)],
  };
}
