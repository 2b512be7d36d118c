import { binOf, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import {
  AppError,
  type BinContents,
  type BinItem,
  type InputOf,
  type RefusedItem,
  appError,
  type binList,
  type binPurge,
  type binRestore,
} from '@sheaf/contract';
import { type Links, type OpenItem, cannotChange, openItem, storedAt } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { bringBack } from './bringing-back.ts';
import { type Journal, scopeOf } from './journal.ts';
import type { BinOf, ChangeStore, JournalRow } from './store.ts';
import type { Swapping } from './swapping.ts';
import { inParallel } from './undoing.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly links: Links;
  readonly listings: Listings;
  readonly journal: Journal;
  readonly swapping: Swapping;
  readonly newId: () => string;
}

type Input<C> = Omit<InputOf<C>, 'rTag'>;
type Result = { done: number; refused: RefusedItem[] };

const window = 200;
const atOnce = 4;

/** What is in the bin of a link. Members of a Space see what was deleted in it; the owner of the link sees everything. */
export function createBins({ store, links, listings, journal, swapping, newId }: Deps) {
  async function open(userId: string, { linkUri, memberOid }: { linkUri: string; memberOid?: string | undefined }): Promise<OpenItem> {
    const item = await openItem(links, userId, linkUri, memberOid);
    if (!item.connector.remove) throw cannotChange(item);
    return item;
  }
  const heldBy = (item: OpenItem): BinOf => ({ linkId: storedAt(item, '/').linkId, ...(item.stored && { scope: scopeOf(item) }) });
  /** The path as the user of the opened link sees it: an owner's paths begin at the root, also those of items deleted in a Space. */
  const pathIn = (item: OpenItem, { scope, path }: Pick<JournalRow, 'scope' | 'path'>): string =>
    item.stored || scope === '/' ? path : joinPath(scope, path.slice(1));

  async function each(found: readonly JournalRow[], wanted: readonly string[], work: (row: JournalRow) => Promise<void>): Promise<Result> {
    const rows = new Map(found.map((row) => [row.id, row]));
    const result: Result = { done: 0, refused: [] };
    await inParallel(wanted, atOnce, async (itemId) => {
      const row = rows.get(itemId);
      try {
        if (!row) throw appError('BIN_ITEM_GONE', { name: '' });
        await work(row);
        result.done++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        result.refused.push({ name: row ? nameOf(row.path) : '', itemId, error: error.toAnswer() });
      }
    });
    return result;
  }

  /** Items of the source's own bin: each is what the source knows of it. */
  async function eachOfSource(ids: readonly string[], work: (itemId: string) => Promise<void>): Promise<Result> {
    const result: Result = { done: 0, refused: [] };
    await inParallel(ids, atOnce, async (itemId) => {
      try {
        await work(itemId);
        result.done++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        result.refused.push({ name: '', itemId, error: error.toAnswer() });
      }
    });
    return result;
  }

  async function purgeRow(item: OpenItem, row: JournalRow, signal: AbortSignal): Promise<void> {
    if (row.binId !== null) await binOf(item.connector)?.purge?.(row.binId, { signal });
    await store.change(row, { state: 'purged' });
  }

  /** The source's own bin, of which only those see the list who may open the whole link. */
  function sourceBin(item: OpenItem) {
    const bin = binOf(item.connector);
    return bin?.bin === 'source' && bin.listBin && !item.stored ? { ...bin, listBin: bin.listBin } : undefined;
  }

  return {
    async list(userId: string, input: Input<typeof binList>, signal: AbortSignal): Promise<BinContents> {
      const item = await open(userId, input);
      const own = sourceBin(item);
      if (own) {
        const { items, cursor } = await own.listBin(input.cursor, { signal });
        const shown = items.map(({ id, name, kind, size, path, deleted }): BinItem => ({
          itemId: id,
          name,
          fileType: kind === 'folder' ? 'FOLDER' : 'FILE',
          ...(size !== undefined && { size }),
          ...(path !== undefined && { folderPath: parentOf(path) }),
          ...(deleted !== undefined && { deletedAt: Math.trunc(deleted) }),
        }));
        return { bin: 'source', items: shown, canPurge: own.purge !== undefined, ...(cursor !== undefined && { cursor }) };
      }
      if (binOf(item.connector)?.bin !== 'hidden') throw appError('NO_BIN', { provider: item.provider });
      const bin = heldBy(item);
      const offset = Number(input.cursor ?? 0);
      if (!Number.isSafeInteger(offset) || offset < 0) throw appError('INVALID_PARAMETER', { field: 'cursor' });
      const [rows, sum, into] = await Promise.all([store.held(bin, offset, input.limit), store.heldSum(bin), journal.binOf(item)]);
      const items = rows.map((row): BinItem => {
        const path = pathIn(item, row);
        return {
          itemId: row.id,
          name: nameOf(path),
          fileType: row.isFolder === 1 ? 'FOLDER' : 'FILE',
          ...sizeOf(row),
          ...(row.kind === 'replace' && { replaced: true as const }),
          folderPath: parentOf(path),
          deletedAt: Number(row.createdAt),
          until: Number(row.expiresAt),
          ...(!item.stored && row.deletedBy !== null && { deletedBy: row.deletedBy }),
        };
      });
      const next = offset + rows.length;
      return {
        bin: into ? 'hidden' : 'none',
        items,
        ...sum,
        days: into?.days ?? 0,
        canPurge: true,
        ...(next < sum.total && { cursor: String(next) }),
      };
    },

    async restore(userId: string, input: Input<typeof binRestore>, signal: AbortSignal): Promise<Result> {
      const item = await open(userId, input);
      const { userLinkId, connector } = item;
      const ids = [...new Set(input.itemId)];
      const own = sourceBin(item);
      if (own)
        return eachOfSource(ids, async (itemId) => {
          await own.restore(itemId, undefined, { signal });
          await store.settleSource(userLinkId, itemId, 'undone');
        });
      return each(await store.heldItems(heldBy(item), ids), ids, async (row) => {
        const path = pathIn(item, row);
        if (row.kind === 'replace') return void (await swapping.swapBack(item, { ...row, path }, newId(), signal));
        const entry = await bringBack(connector, { ...row, path }, signal);
        await listings.note(userLinkId, parentOf(path), { put: entry });
        if (row.isFolder === 1) await listings.forget(userLinkId, path);
        await store.change(row, { state: 'undone' });
      });
    },

    async purge(userId: string, input: Input<typeof binPurge>, signal: AbortSignal): Promise<Result> {
      const item = await open(userId, input);
      const ids = [...new Set(input.itemId)];
      const own = sourceBin(item);
      if (own) {
        const { purge } = own;
        if (!purge) throw appError('SOURCE_CANNOT', { provider: item.provider });
        const purgeOne = async (itemId: string): Promise<void> => {
          await purge(itemId, { signal });
          await store.settleSource(item.userLinkId, itemId, 'purged');
        };
        if (!input.all) return eachOfSource(ids, purgeOne);
        const all: string[] = [];
        for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
          const page = await own.listBin(cursor, { signal });
          all.push(...page.items.map(({ id }) => id));
          cursor = page.cursor;
        }
        return eachOfSource(all, purgeOne);
      }
      const purgeOne = (row: JournalRow): Promise<void> => purgeRow(item, row, signal);
      if (!input.all) return each(await store.heldItems(heldBy(item), ids), ids, purgeOne);
      const result: Result = { done: 0, refused: [] };
      for (;;) {
        // What was refused stays in the bin, before the rest.
        const rows = await store.held(heldBy(item), result.refused.length, window);
        if (rows.length === 0) return result;
        const { done, refused } = await each(
          rows,
          rows.map(({ id }) => id),
          purgeOne,
        );
        result.done += done;
        result.refused.push(...refused);
      }
    },

    daysOf: async (userId: string): Promise<{ days: number }> => ({ days: await store.daysOf(userId) }),
    /** Items that are in bins already stay for as long as was said when they were deleted. */
    async setDays(userId: string, days: number): Promise<{ days: number }> {
      await store.setDays(userId, days);
      journal.daysChanged();
      return { days };
    },
  };
}

/** Bytes of an item in a hidden bin, where known. */
function sizeOf({ binSize, size }: JournalRow): { size?: number } {
  const bytes = binSize ?? size;
  return bytes === null ? {} : { size: Number(bytes) };
}
