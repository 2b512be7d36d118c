import { nameOf, parentOf } from '@sheaf/connectors';
import { type UndoResult, appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { createBandwidth } from './copying/bandwidth.ts';
import type { FileCopier, Made } from './copying/file-copy.ts';
import { isUnchanged } from './copying/file-job.ts';
import { type Ends, openEnds } from './rows/ends.ts';
import type { ItemRow, ItemStore } from './rows/item-store.ts';
import type { TransferRow } from './rows/store.ts';
import { ensureFolder } from './versions/place.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly items: Pick<ItemStore, 'plan'>;
  readonly copier: FileCopier;
}

/** ms for moving an item back; a large file takes as long as it takes, while bytes move. */
const timeout = 6 * 3_600_000;
const unlimited = createBandwidth(() => null);

/** Moves items of a finished move back to where they were. May be called again for an item after a kill. */
export function createMoveBack({ links, listings, items, copier }: Deps) {
  /** Copies the file back, proves the copy, and removes it at the destination. */
  async function copyBack(transfer: TransferRow, item: ItemRow, { from, to, isSameLink }: Ends, signal: AbortSignal): Promise<void> {
    await copier.run({
      transfer,
      // An earlier attempt may have copied it and not have removed it.
      item: { ...item, fromPath: item.toPath, toPath: item.fromPath, state: 'running', action: 'create', made: null },
      ends: { from: to, to: from, isSameLink },
      toPath: item.fromPath,
      ifExists: 'fail',
      isAlone: true,
      bandwidth: unlimited,
      signal,
      count: () => undefined,
      sentTwice: () => undefined,
      // Of its row only what continues an upload changes: the report is of the move itself.
      store: async ({ session, parts }) => {
        if (session !== undefined || parts !== undefined)
          await items.plan(transfer.id, item.seq, { ...(session !== undefined && { session }), ...(parts !== undefined && { parts }) });
      },
    });
  }

  async function moveWhole(item: ItemRow, { from, to }: Ends, signal: AbortSignal): Promise<void> {
    const { move } = from.connector;
    if (!move) throw appError('SOURCE_CANNOT', { provider: from.provider });
    await move(item.toPath, item.fromPath, { signal });
    await listings.forget(to.userLinkId, item.toPath);
  }

  /** Moves the item back, unless it has changed since. Rejects with NAME_TAKEN when something else is in its old place. */
  return async (transfer: TransferRow, item: ItemRow): Promise<UndoResult> => {
    const signal = AbortSignal.timeout(timeout);
    const ends = await openEnds(links, transfer, item.source);
    const { from, to } = ends;
    if (!from.connector.write || !to.connector.remove) throw appError('SOURCE_CANNOT', { provider: from.provider });
    const isPart = item.isFolder === 1 && item.isWhole === 0;
    if (isPart) {
      await ensureFolder(from.connector, item.fromPath, signal);
      return 'undone';
    }
    const entry = await entryAt(to.connector, item.toPath, signal);
    // An earlier attempt may have moved it.
    if (!entry) return (await entryAt(from.connector, item.fromPath, signal)) ? 'undone' : 'left';
    if (item.isFolder === 0 && (item.made === null || !isUnchanged((JSON.parse(item.made) as Made).made, entry))) return 'left';
    await ensureFolder(from.connector, parentOf(item.fromPath), signal);
    if (item.isWhole === 1) await moveWhole(item, ends, signal);
    else await copyBack(transfer, item, ends, signal);
    await listings.note(to.userLinkId, parentOf(item.toPath), { gone: nameOf(item.toPath) });
    const back = await entryAt(from.connector, item.fromPath, signal).catch((error: unknown) => {
      if (isRow(error, 'SOURCE_TIMEOUT', 'CANNOT_CONNECT')) return undefined;
      throw error;
    });
    if (back) await listings.note(from.userLinkId, parentOf(item.fromPath), { put: back });
    return 'undone';
  };
}
export type MoveBack = ReturnType<typeof createMoveBack>;
