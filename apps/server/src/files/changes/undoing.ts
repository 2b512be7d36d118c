import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type ErrorAnswer, type RefusedItem, type Undone, appError, linkUriOf } from '@sheaf/contract';
import { entryAt } from '#/files/items/entry-at.ts';
import { type Links, type OpenItem, cannotChange, storedAt } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { bringBack, isSame, isUnchanged } from './bringing-back.ts';
import { scopeOf } from './journal.ts';
import type { ChangeStore, JournalRow } from './store.ts';
import type { Swapping } from './swapping.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly links: Links;
  readonly listings: Listings;
  readonly swapping: Swapping;
  readonly newId: () => string;
}

/** Rows read at once. */
const window = 500;
/** Most refusals that an answer names. */
const mostNamed = 100;
/** Most items that are brought back at the same time. */
const mostAtOnce = 8;

/** Reverses changes at their source; an item that has changed since is refused. May be called again after an interruption. */
export function createUndoing({ store, links, listings, swapping, newId }: Deps) {
  async function openedBy(row: JournalRow): Promise<OpenItem> {
    const link = await links.open(row.accountId, row.viaLinkId);
    const item: OpenItem = { ...link, userId: row.accountId, linkUri: linkUriOf(row.viaLinkId, row.path), path: row.path };
    // A Space may lead elsewhere by now.
    if (storedAt(item, '/').linkId !== row.linkId || scopeOf(item) !== row.scope) throw appError('CHANGE_GONE', {});
    return item;
  }

  async function moveBack(item: OpenItem, row: JournalRow, signal: AbortSignal): Promise<void> {
    const { connector, userLinkId } = item;
    const { path, toPath } = row;
    const current = toPath === null ? undefined : await entryAt(connector, toPath, signal);
    if (toPath === null || !current) {
      const there = await entryAt(connector, path, signal);
      if (there && isSame(row, there)) return;
      throw appError('ITEM_NOT_FOUND', { name: nameOf(toPath ?? path) });
    }
    if (!isUnchanged(row, current)) throw appError('CHANGED_SINCE', { name: nameOf(toPath) });
    const isHere = parentOf(path) === parentOf(toPath);
    const { rename, move } = connector;
    if (!(isHere ? (rename ?? move) : move)) throw cannotChange(item);
    const entry = isHere && rename ? await rename(toPath, nameOf(path), { signal }) : await move?.(toPath, path, { signal });
    await listings.note(userLinkId, parentOf(toPath), { gone: nameOf(toPath) });
    if (entry) await listings.note(userLinkId, parentOf(path), { put: entry });
    if (row.isFolder === 1) for (const moved of [path, toPath]) await listings.forget(userLinkId, moved);
  }

  /** Returns whether `redoId` undoes the undo. */
  async function undo(row: JournalRow, redoId: string, signal: AbortSignal): Promise<boolean> {
    const item = await openedBy(row);
    if (row.state === 'purged') throw appError('BIN_ITEM_GONE', { name: nameOf(row.path) });
    if (row.kind === 'replace') return swapping.swapBack(item, row, redoId, signal);
    if (row.kind === 'delete') {
      if (!item.connector.remove) throw cannotChange(item);
      const entry = await bringBack(item.connector, row, signal);
      await listings.note(item.userLinkId, parentOf(row.path), { put: entry });
      if (row.isFolder === 1) await listings.forget(item.userLinkId, row.path);
    } else await moveBack(item, row, signal);
    await store.change(row, { state: 'undone' });
    return false;
  }

  return {
    /** Undoes everything with that id, the last change first. Rejects with CHANGE_GONE when there is none. */
    async undo(userId: string, undoId: string, signal: AbortSignal): Promise<Undone> {
      let [undone, refusedTotal, isKnown, canRedo] = [0, 0, false, false];
      const redoId = newId();
      const refused: RefusedItem[] = [];
      const refuse = (row: JournalRow, error: ErrorAnswer): void => {
        refusedTotal++;
        if (refused.length < mostNamed) refused.push({ name: nameOf(row.path), linkUri: linkUriOf(row.viaLinkId, row.path), error });
      };
      const tryRow = async (row: JournalRow): Promise<AppError | undefined> => {
        try {
          if (await undo(row, redoId, signal)) canRedo = true;
          undone++;
          return undefined;
        } catch (error) {
          if (!(error instanceof AppError) || signal.aborted) throw error;
          return error;
        }
      };
      for (let before: string | undefined; ;) {
        const rows = await store.ofUndo(userId, undoId, before, window);
        isKnown ||= rows.length > 0;
        before = rows.at(-1)?.id;
        const waiting = rows.filter(({ state }) => state !== 'undone');
        const atOnce = waiting.every(({ kind }) => kind === 'delete') ? mostAtOnce : 1;
        const again: JournalRow[] = [];
        await inParallel(waiting, atOnce, async (row) => {
          const error = await tryRow(row);
          // Its folder may be brought back by the same undo.
          if (error?.messageCode === 'BIN_FIRST') again.push(row);
          else if (error) refuse(row, error.toAnswer());
        });
        for (const row of again) {
          const error = await tryRow(row);
          if (error) refuse(row, error.toAnswer());
        }
        if (rows.length < window) break;
      }
      if (!isKnown) throw appError('CHANGE_GONE', {});
      return { undone, refused, refusedTotal, ...(canRedo && { redoId }) };
    },
  };
}

/** Runs the work for each, so many at a time; the first failure ends it. */
export async function inParallel<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const queue = all.values();
  const worker = async (): Promise<void> => {
    for (const one of queue) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
}
