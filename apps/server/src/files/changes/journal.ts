import { type Bin, type Entry, binOf, markHandled } from '@sheaf/connectors';
import { AppError, usualBinDays } from '@sheaf/contract';
import { type OpenItem, storedAt } from '#/files/items/open-item.ts';
import type { Clock } from '#/platform/clock.ts';
import { type BinOfItem, type Intent, factsOf, isUnclear } from './facts.ts';
import { createReplacing } from './replacing.ts';
import type { ChangeStore, JournalRow } from './store.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: Clock;
}

/** What a change has made: the entry afterwards, and the bytes of a deleted folder where known. */
interface Made<T> {
  readonly result: T;
  readonly entry?: Entry;
  readonly bytes?: number | undefined;
}

/** Seconds for which the days of a link are trusted. */
const trustFor = 60;
/** Most links whose days are known. */
const mostKnown = 10_000;
const day = 86_400;
/** Milliseconds for a source to tell whether it keeps what is deleted. */
const patience = 30_000;

export type Journal = ReturnType<typeof createJournal>;

/** The folder of the storing link at which the user's paths begin. */
export const scopeOf = ({ stored }: Pick<OpenItem, 'stored'>): string => stored?.folder ?? '/';

/** Notes each change before it is made, so that it can be undone, also after a kill between the note and the change. */
export function createJournal({ store, newId, now }: Deps) {
  const days = new Map<string, { readonly days: number; readonly until: number }>();
  const keeping = new Map<string, boolean>();
  /** Ids sort by time, also within a millisecond. */
  let count = 0;
  const orderedId = (): string =>
    Date.now().toString(36).padStart(9, '0') + (count++ % 36 ** 4).toString(36).padStart(4, '0') + newId().slice(0, 12);

  async function daysOf(item: OpenItem): Promise<number> {
    const { linkId } = storedAt(item, '/');
    const known = days.get(linkId);
    if (known && known.until > now()) return known.days;
    const current = await store.daysOfLink(linkId);
    if (days.size >= mostKnown) days.clear();
    days.set(linkId, { days: current, until: now() + trustFor });
    return current;
  }

  /** Where deleted items of the link go; undefined where deletions are final. */
  async function binOfItem(item: OpenItem): Promise<BinOfItem | undefined> {
    const bin = binOf(item.connector);
    if (!bin) return undefined;
    if (bin.keeps && !(await keepsOf(item, bin.keeps))) return undefined;
    if (bin.bin === 'source') return { bin, days: usualBinDays };
    const kept = await daysOf(item);
    return kept === 0 ? undefined : { bin, days: kept };
  }

  /** Asks the source whether its bin takes anything at present, and remembers it for listings. */
  async function keepsOf(item: OpenItem, keeps: NonNullable<Bin['keeps']>): Promise<boolean> {
    const isKept = await keeps({ signal: AbortSignal.timeout(patience) });
    if (keeping.size >= mostKnown) keeping.clear();
    keeping.set(storedAt(item, '/').linkId, isKept);
    return isKept;
  }

  function newRow(item: OpenItem, { kind, undoId = newId(), path, toPath, entry, into }: Intent): JournalRow {
    const time = now();
    return {
      linkId: storedAt(item, '/').linkId,
      id: orderedId(),
      accountId: item.userId,
      undoId,
      viaLinkId: item.userLinkId,
      scope: scopeOf(item),
      kind,
      state: 'begun',
      path,
      toPath: toPath ?? null,
      isFolder: entry?.kind === 'folder' ? 1 : 0,
      ...factsOf(entry ?? {}),
      bin: into?.bin.bin ?? null,
      binId: null,
      binSize: null,
      createdAt: time,
      expiresAt: time + (into?.days ?? usualBinDays) * day,
    };
  }

  return {
    binOf: binOfItem,
    /** What a listing tells of the bin of the link, without asking the source anything for which the listing would wait. */
    async shownBin(item: OpenItem): Promise<{ readonly hasBin: boolean; readonly binDays?: number }> {
      const bin = binOf(item.connector);
      if (bin?.bin === 'hidden') {
        const kept = await daysOf(item);
        return { hasBin: item.hasBin, ...(kept > 0 && { binDays: kept }) };
      }
      if (!bin?.keeps) return { hasBin: item.hasBin };
      const known = keeping.get(storedAt(item, '/').linkId);
      // Nobody waits for it: without an answer the next listing asks again.
      if (known === undefined) void markHandled(keepsOf(item, bin.keeps));
      return { hasBin: item.hasBin || known === true };
    },
    /** Runs a write, and notes what it replaces. */
    replacing: createReplacing({ store, newRow, binOf: binOfItem }),

    /** Forgets the days that were read before the account changed them. */
    daysChanged: (): void => days.clear(),

    /** Notes the change, makes it, and notes the result; returns the id that undoes it. */
    async made<T>(
      item: OpenItem,
      intent: Intent,
      change: (noteBin: (binId: string) => Promise<void>) => Promise<Made<T>>,
    ): Promise<{ readonly result: T; readonly undoId: string }> {
      const { toPath, into } = intent;
      const row = newRow(item, intent);
      // A deletion is noted with its place in the bin, which the source tells first.
      if (!into) await store.add(row);
      let isNoted = !into;
      const noteBin = async (binId: string): Promise<void> => {
        if (isNoted) return store.change(row, { binId });
        await store.add({ ...row, binId });
        isNoted = true;
      };
      try {
        const { result, entry: after, bytes } = await change(noteBin);
        await store.change(row, {
          state: 'done',
          ...(bytes !== undefined && { size: bytes }),
          ...(after && { ...factsOf(after), ...(toPath !== undefined && { toPath: atName(toPath, after) }) }),
        });
        return { result, undoId: row.undoId };
      } catch (error) {
        // Only a clear refusal says that nothing has changed.
        if (isNoted && error instanceof AppError && !isUnclear(error)) await store.remove(row);
        throw error;
      }
    },
  };
}

/** The path with the name that the source gave the item. */
const atName = (path: string, { name }: Entry): string => path.slice(0, path.lastIndexOf('/') + 1) + name;
