import { type Connector, type Entry, binOf, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type ErrorAnswer, type RefusedItem, type Undone, appError, linkUriOf } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import { type Links, type OpenItem, cannotChange, storedAt } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { scopeOf } from './journal.ts';
import type { ChangeStore, JournalRow } from './store.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly links: Links;
  readonly listings: Listings;
}

/** Rows read at once. */
const window = 500;
/** Most refusals that an answer names. */
const mostNamed = 100;
/** Most items that are brought back at the same time. */
const mostAtOnce = 8;

type Restored = Pick<JournalRow, 'path' | 'binId' | 'isFolder' | 'size' | 'state'>;

/**
 * Moves an item out of the bin to its path; undefined when it is there already, because the deletion was never made or an interrupted call has brought it
 * back. Rejects with NAME_TAKEN, BIN_ITEM_GONE and BIN_FIRST.
 */
export async function bringBack(connector: Connector, row: Restored, signal: AbortSignal): Promise<Entry | undefined> {
  const bin = binOf(connector);
  const { path, binId } = row;
  const name = nameOf(path);
  if (!bin || binId === null) throw appError('BIN_ITEM_GONE', { name });
  try {
    return await bin.restore(binId, path, { signal });
  } catch (error) {
    if (!isRow(error, 'ITEM_NOT_FOUND', 'NAME_TAKEN')) throw error;
    if (await isInBin(() => bin.binned(binId, { signal }))) {
      if (!isRow(error, 'ITEM_NOT_FOUND') || parentOf(path) === '/') throw error;
      if (!(await entryAt(connector, parentOf(path), signal))) throw appError('BIN_FIRST', { name }, error);
      // The same undo has brought its folder back in the meantime.
      return bin.restore(binId, path, { signal });
    }
    const there = await entryAt(connector, path, signal);
    if (there && isSame(row, there)) return undefined;
    throw appError('BIN_ITEM_GONE', { name }, error);
  }
}

async function isInBin(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (isRow(error, 'ITEM_NOT_FOUND')) return false;
    throw error;
  }
}

/** Whether an entry may be the item of the row: of one kind, and of one size where both are known. */
const isSame = ({ isFolder, size }: Pick<JournalRow, 'isFolder' | 'size'>, { kind, size: now }: Entry): boolean =>
  (kind === 'folder') === (isFolder === 1) && (kind === 'folder' || size === null || now === undefined || Number(size) === now);

/** Whether the item is as the change left it. The content of a folder may change: it goes along. */
function isUnchanged(row: JournalRow, entry: Entry): boolean {
  if (!isSame(row, entry)) return false;
  if (entry.kind === 'folder') return true;
  const { etag, modified } = row;
  if (etag !== null && entry.etag !== undefined && !entry.etag.startsWith('W/')) return etag === entry.etag;
  return modified === null || entry.modified === undefined || Number(modified) === Math.trunc(entry.modified);
}

/** Reverses changes at their source; an item that has changed since is refused. May be called again after an interruption. */
export function createUndoing({ store, links, listings }: Deps) {
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

  async function undo(row: JournalRow, signal: AbortSignal): Promise<void> {
    const item = await openedBy(row);
    if (row.state === 'purged') throw appError('BIN_ITEM_GONE', { name: nameOf(row.path) });
    if (row.kind === 'delete') {
      if (!item.connector.remove) throw cannotChange(item);
      const entry = await bringBack(item.connector, row, signal);
      if (entry) await listings.note(item.userLinkId, parentOf(row.path), { put: entry });
      if (row.isFolder === 1) await listings.forget(item.userLinkId, row.path);
    } else await moveBack(item, row, signal);
    await store.change(row, { state: 'undone' });
  }

  return {
    /** Undoes everything with that id, the last change first. Rejects with CHANGE_GONE when there is none. */
    async undo(userId: string, undoId: string, signal: AbortSignal): Promise<Undone> {
      let [undone, refusedTotal, isKnown] = [0, 0, false];
      const refused: RefusedItem[] = [];
      const refuse = (row: JournalRow, error: ErrorAnswer): void => {
        refusedTotal++;
        if (refused.length < mostNamed) refused.push({ name: nameOf(row.path), linkUri: linkUriOf(row.viaLinkId, row.path), error });
      };
      const tryRow = async (row: JournalRow): Promise<AppError | undefined> => {
        try {
          await undo(row, signal);
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
      return { undone, refused, refusedTotal };
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
