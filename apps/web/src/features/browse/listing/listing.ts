import { type FirstPage, type Item, type ItemOperation, type Page, limits } from '@sheaf/contract';
import { isFault } from '#/lib/http/call-error.ts';
import { errorText, errorAnswerText } from '#/lib/http/error-text.ts';
import { type RowTable, createRowTable } from './row-table.ts';
import { wantedRange } from './wanted-range.ts';

/** Whether to ask the storage: not at all; in the background unless it was asked just now; or always, waiting for it. */
export type Asking = 'known' | 'beside' | 'anyway';

/** Source of a listing's rows: one folder in one order with one filter. */
export interface ListingSource {
  /** The first rows. */
  first(asking: Asking, signal: AbortSignal): Promise<FirstPage>;
  more(offset: number, limit: number, signal: AbortSignal): Promise<Page>;
}

/** What is known about a folder. A new object with every change. */
export interface ListingState {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Why nothing can be shown. */
  readonly error: unknown;
  /** Number of rows; while the storage is still sending, those received so far. */
  readonly count: number;
  readonly isComplete: boolean;
  readonly unfiltered: number | undefined;
  /** Whether the storage is being asked. */
  readonly stale: boolean;
  readonly listedAt: number | undefined;
  readonly can: ReadonlySet<ItemOperation>;
  readonly hasBin: boolean;
  /** Days for which Sheaf keeps deleted items where the server has no bin. */
  readonly binDays?: number | undefined;
  /** Why the storage could not be asked, while stored rows are shown. */
  readonly refreshError: string | undefined;
  /** Long renames in the folder that are still running. */
  readonly renames: NonNullable<FirstPage['renames']>;
  /** Whether the last call did not reach the server: it is retried soon. */
  readonly isUnreached: boolean;
  /** Why visible rows could not be loaded. */
  readonly rowsError: string | undefined;
}

/** The visible rows, and how many have been scrolled past. */
export interface Viewport {
  readonly first: number;
  readonly last: number;
  readonly scrolled: number;
}

export type Listing = ReturnType<typeof createListing>;

const nothing: ListingState = {
  status: 'loading',
  error: undefined,
  count: 0,
  isComplete: false,
  unfiltered: undefined,
  stale: true,
  listedAt: undefined,
  can: new Set(),
  hasBin: false,
  refreshError: undefined,
  renames: [],
  isUnreached: false,
  rowsError: undefined,
};
/** Milliseconds between two polls while the storage is still sending. */
const pollPause = 500;
/** Milliseconds between two polls while a rename is running, which may take minutes. */
const renamePause = 2000;
/** Milliseconds within which a listing that is begun is shown; otherwise nobody needs it. */
const shownWithin = 5000;
/** Milliseconds before missing rows are requested again. */
const againPause = 3000;

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A folder's rows, loaded when they become visible and kept after a change until newer ones have arrived. Calls `onFailure` for every failed call.
 */
export function createListing(
  source: ListingSource,
  onFailure: (error: unknown) => void,
  pause: (milliseconds: number) => Promise<void> = wait,
) {
  const listeners = new Set<() => void>();
  const rows: RowTable = createRowTable();
  const asked = new Set<number>();
  let state = nothing;
  let version = '';
  let viewport: Viewport = { first: 0, last: 0, scrolled: 0 };
  let life: AbortController | undefined;
  /** Life of the calls that are running, and whether their answers may lack a later change. */
  let loading: AbortSignal | undefined;
  let isOutdated = false;
  /** Holders that are editing a row. */
  const holds = new Set<object>();
  /** Whether something newer was kept back meanwhile. */
  let isHeldBack = false;
  /** Ends what was begun for a folder that is not shown in the end. */
  let unlessShown: ReturnType<typeof setTimeout> | undefined;

  const set = (change: Partial<ListingState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  /** Runs `work` while the listing is shown; reports failures, but not aborts by leaving. */
  const run = (work: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void): void => {
    const signal = life?.signal;
    if (!signal) return;
    work(signal).catch((error: unknown) => {
      if (signal.aborted) return;
      onFailure(error);
      onError(error);
    });
  };

  const isHeld = (): boolean => {
    if (holds.size > 0) isHeldBack = true;
    return holds.size > 0;
  };

  const take = (page: FirstPage): void => {
    if (isHeld()) return;
    if (page.version !== version) {
      rows.renew();
      asked.clear();
      version = page.version;
    }
    rows.put(0, page.items);
    rows.setTotal(page.total, page.hasMore);
    const { listedAt, stale, unfiltered, hasBin, binDays, refreshError, renames = [] } = page;
    set({
      status: 'ready',
      error: undefined,
      count: rows.count(),
      isComplete: page.total !== undefined,
      unfiltered,
      stale,
      listedAt,
      hasBin,
      binDays,
      can: page.can.length === state.can.size && page.can.every((one) => state.can.has(one)) ? state.can : new Set(page.can),
      refreshError: refreshError && errorAnswerText(refreshError),
      renames,
      isUnreached: false,
    });
    loadWanted();
  };

  const loadWanted = (): void => {
    const range = wantedRange(rows, viewport);
    if (!range && state.rowsError !== undefined) set({ rowsError: undefined });
    if (!range || asked.has(range.offset)) return;
    const { offset, limit } = range;
    asked.add(offset);
    run(
      async (signal) => {
        const page = await source.more(offset, limit, signal).catch(async (error: unknown) => {
          // A transient failure may pass; a refusal is final.
          if (signal.aborted || !isFault(error)) throw error;
          set({ rowsError: errorText(error) });
          await pause(againPause);
          return undefined;
        });
        if (signal.aborted) return;
        asked.delete(offset);
        if (!page) return loadWanted();
        rows.put(offset, page.items);
        rows.setTotal(page.total, page.hasMore);
        set({ count: rows.count(), isComplete: page.total !== undefined, rowsError: undefined });
        if (page.items.length > 0) loadWanted();
      },
      (error) => {
        asked.delete(offset);
        set({ rowsError: errorText(error) });
      },
    );
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    while (state.stale || state.renames.length > 0) {
      const hadRenames = state.renames.length > 0;
      await pause(state.stale ? pollPause : renamePause);
      if (signal.aborted) return;
      take(await source.first('known', signal));
      if (hadRenames && state.renames.length === 0) take(await source.first('anyway', signal));
    }
  };

  const load = (asking: Asking): void =>
    run(
      async (signal) => {
        loading = signal;
        try {
          let next: Asking | undefined = asking;
          while (next) {
            isOutdated = false;
            take(await source.first(next, signal));
            await follow(signal);
            next = isOutdated ? 'known' : undefined;
          }
        } finally {
          if (loading === signal) loading = undefined;
        }
      },
      (error) =>
        set(
          rows.count() > 0
            ? { stale: false, isUnreached: isFault(error), refreshError: errorText(error) }
            : { status: 'failed', error, stale: false, isUnreached: isFault(error) },
        ),
    );

  /** Starts over with one chain of calls, so that two never compete. */
  const restart = (asking: Asking): void => {
    life?.abort();
    life = new AbortController();
    asked.clear();
    isHeldBack = false;
    load(asking);
  };

  /** Loads stored rows, unless somebody is editing a row: then it reloads afterwards. */
  const reload = (): void => {
    if (!isHeld()) restart(state.stale ? 'beside' : 'known');
  };

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: (): ListingState => state,
    /** The row at that index, or undefined while it is loading. */
    rowAt: (index: number): Item | undefined => rows.at(index),
    indexOf: (linkUri: string): number => rows.indexOf(linkUri),
    isNew: (linkUri: string): boolean => rows.isNew(linkUri),
    /** The linkUri of every row, or undefined while some are missing. */
    allRows: (): ReadonlySet<string> | undefined => rows.all(),

    /** Starts loading a folder that is about to be shown, so that its rows arrive while its screen is drawn. */
    begin(): void {
      if (life && !life.signal.aborted) return;
      restart('beside');
      const begun = life;
      unlessShown = setTimeout(() => begun?.abort(), shownWithin);
    },
    /** Starts loading, unless that was begun; also asks the storage. */
    open(): void {
      holds.clear();
      const isBegun = unlessShown !== undefined && life?.signal.aborted === false;
      clearTimeout(unlessShown);
      unlessShown = undefined;
      if (!isBegun) restart('beside');
    },
    /** Refreshes after the user was away. */
    resume(): void {
      if (!isHeld()) restart('beside');
    },
    /** Shows what others have changed: now, or when the running calls have answered. */
    changed(): void {
      if (loading && !loading.aborted) isOutdated = true;
      else if (!isHeld()) restart('known');
    },
    close: (): void => life?.abort(),
    /** Asks the storage again at the user's request. */
    refresh(): void {
      set(state.status === 'failed' ? { status: 'loading', error: undefined, stale: true } : { stale: true, refreshError: undefined });
      restart('anyway');
    },
    /**
     * Keeps the rows in place, whatever the storage sends, until the returned function is called; then shows the current state. With `isIdle` nothing
     * was changed here: it reloads only what was kept back.
     */
    hold(isIdle = false): () => void {
      const hold = {};
      holds.add(hold);
      return () => {
        if (holds.delete(hold) && (!isIdle || isHeldBack)) reload();
      };
    },
    /** Called after one's own change. */
    reload,
    /** Sets the visible rows; loads missing ones. */
    look(now: Viewport): void {
      viewport = now;
      if (state.status === 'ready') loadWanted();
    },
    /** Waits until all rows up to `count` are there. */
    async loadUpTo(count: number, signal: AbortSignal): Promise<void> {
      for (let offset = rows.loaded(); offset < count; offset = rows.loaded()) {
        const page = await source.more(offset, Math.min(limits.maxPageSize, count - offset), signal);
        rows.put(offset, page.items);
        set({ count: rows.count() });
        if (page.items.length === 0) return;
      }
    },

    /** Shows a change before it is confirmed; `reload` restores the actual state. */
    removeRows(linkUris: ReadonlySet<string>): void {
      rows.remove(linkUris);
      set({ count: rows.count() });
    },
    replaceRow(linkUri: string, item: Item): void {
      rows.replace(linkUri, item);
      set({});
    },
    insertFirst(item: Item): void {
      rows.insertFirst(item);
      set({ count: rows.count() });
    },
  };
}
