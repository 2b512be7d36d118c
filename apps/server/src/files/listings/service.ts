import { type Entry, joinPath, parentOf } from '@sheaf/connectors';
import { AppError, appError, foldName } from '@sheaf/contract';
import { createByteOrder } from './byte-order.ts';
import { createFreeNames } from './free-names.ts';
import { mostShown } from './live-listing.ts';
import { createNotes } from './notes.ts';
import { type KnownPage, createPageCache } from './page-cache.ts';
import { type Place, type Reading, type ReadingDeps, createReadings, isGone } from './readings.ts';
import type { StoredFolder } from './rows/folder-rows.ts';
import type { ByteOrderSlice } from './rows/page-rows.ts';
import type { Change } from './rows/store.ts';
import type { Slice, View } from './rows/view.ts';

/** Rows of a folder as far as known. */
export interface ListedPage {
  readonly entries: readonly Entry[];
  /** The view's total; absent while the folder is arriving. */
  readonly total?: number;
  /** Total without the filter. */
  readonly unfiltered?: number;
  readonly hasMore: boolean;
  /** When the source returned the folder; epoch milliseconds. */
  readonly listedAt?: number;
  /** Whether the source is being asked. */
  readonly stale: boolean;
  readonly version: string;
  /** Why the last refresh failed, when stored rows are returned. */
  readonly failure?: AppError;
}

export interface FirstPageRequest extends Slice {
  readonly view: View;
  /** Waits for the source. */
  readonly fresh: boolean;
  /** False: asks the source only when nothing is stored. */
  readonly refresh: boolean;
  /** For an unknown folder, rows are wanted before all have arrived; later ones may be inserted between them. */
  readonly early: boolean;
}

export type PageRequest = Pick<FirstPageRequest, 'view' | 'offset' | 'limit' | 'early'>;

type Stored = StoredFolder & { readonly listedAt: number };

/** A stored listing younger than this is refreshed only on request; ms. */
const restBetweenRefreshes = 3000;

/** A stored listing was replaced while it was read. */
export class ListingReplaced extends Error {
  override readonly name = 'ListingReplaced';
  constructor() {
    super('a newer listing was stored meanwhile');
  }
}

/** Links that list the same folders separately. */
interface Elsewhere {
  /** The other addresses of a folder. */
  others(place: Pick<Place, 'linkId' | 'path'>, isGone?: boolean): Promise<readonly Pick<Place, 'linkId' | 'path'>[]>;
}

export type Listings = ReturnType<typeof createListings>;

/** Listings of folders: from the store at once, refreshed from the source in the background. */
export function createListings(deps: ReadingDeps & Partial<Elsewhere>) {
  const { store, now, onStoreError, tell, others = async () => [] } = deps;
  const readings = createReadings(deps);
  const pages = createPageCache();
  const byteOrder = createByteOrder(store);
  const freeNames = createFreeNames({ store, now });
  const notes = createNotes({ change: store.change, now });

  /** The folder, once it is stored completely. */
  const findStored = async (linkId: string, path: string): Promise<Stored | undefined> => {
    const folder = await store.findFolder(linkId, path);
    return folder && isStored(folder) ? folder : undefined;
  };

  const rowsOf = async (folder: StoredFolder, view: View, slice: Slice): Promise<KnownPage> => ({
    entries: await store.page(folder, view, slice),
    total: await store.count(folder, view),
  });

  const storedPage = async (folder: Stored, { linkId, path }: Place, view: View, slice: Slice): Promise<ListedPage> => {
    const { entries, total } = pages.find(folder, view, slice) ?? pages.keep(folder, view, slice, await rowsOf(folder, view, slice));
    const failure = readings.failureOf(linkId, path)?.error;
    const reading = readings.find(linkId, path);
    if (reading) reading.seenAt = now();
    return {
      entries,
      total,
      unfiltered: folder.folderCount + folder.fileCount,
      hasMore: slice.offset + entries.length < total,
      listedAt: folder.listedAt,
      stale: reading !== undefined,
      version: folder.version,
      ...(failure && { failure }),
    };
  };

  /**
   * A page of the received entries. A large complete folder is sorted by the store; until then its first rows are returned to callers that want them
   * early.
   */
  async function arrivingPage(
    reading: Reading,
    place: Place,
    { view, early, ...slice }: PageRequest,
    signal: AbortSignal,
  ): Promise<ListedPage> {
    const { listing } = reading;
    const isEarly = !listing.isComplete() || (early && slice.offset + slice.limit <= mostShown);
    if (isEarly || !listing.spool()) return livePage(reading, view, slice);
    return storedPage(await afterStoring(reading, place, signal), place, view, slice);
  }

  /** The folder once a spooled reading is stored. */
  async function afterStoring(reading: Reading, { linkId, path }: Place, signal: AbortSignal): Promise<Stored> {
    await readings.watch(reading, reading.stored, signal);
    const folder = await findStored(linkId, path);
    if (folder) return folder;
    // Without a failure of the store, the folder or the link was removed meanwhile.
    throw reading.unstored ?? appError('ITEM_NOT_FOUND', { name: path.slice(path.lastIndexOf('/') + 1) });
  }

  function refreshIfDue(folder: Stored, place: Place): void {
    const lastAsked = Math.max(folder.listedAt, readings.failureOf(place.linkId, place.path)?.at ?? 0);
    if (now() - lastAsked > restBetweenRefreshes) readings.read(place);
  }

  /** The folder after asking the source, if it answers. */
  async function renewed(folder: Stored, place: Place, signal: AbortSignal): Promise<Stored> {
    const reading = await readings.readSince(place, now(), signal);
    try {
      await readings.watch(reading, reading.stored, signal);
    } catch (error) {
      // Returns stored rows with the reason.
      if (!(error instanceof AppError) || isGone(error) || signal.aborted) throw error;
    }
    return (await findStored(place.linkId, place.path)) ?? folder;
  }

  async function* unlessReplaced(
    { id, version }: Stored,
    { linkId, path }: Pick<Place, 'linkId' | 'path'>,
  ): AsyncGenerator<readonly Entry[]> {
    yield* store.batches(id);
    const now = await findStored(linkId, path);
    if (now?.id !== id || now.version !== version) throw new ListingReplaced();
  }

  async function noteIn({ linkId, path }: Pick<Place, 'linkId' | 'path'>, change: Change): Promise<void> {
    if (change.gone !== undefined) freeNames.noteGone(linkId, joinPath(path, change.gone));
    if (change.put) freeNames.noteStored(linkId, joinPath(path, change.put.name));
    const reading = readings.find(linkId, path);
    if (change.gone !== undefined) reading?.listing.note(change.gone, undefined);
    if (change.put) reading?.listing.note(change.put.name, change.put);
    try {
      const folder = reading ? await store.openFolder(linkId, path) : await store.findFolder(linkId, path);
      if (folder) await notes.write(folder.id, change);
    } catch (error) {
      // The source has the change; the next listing includes it.
      onStoreError(error);
    }
    tell?.(linkId, path, 'changed');
  }

  async function elsewhere(place: Pick<Place, 'linkId' | 'path'>, isGone = false) {
    try {
      return await others(place, isGone);
    } catch (error) {
      // The others learn of it from their own next listing.
      onStoreError(error);
      return [];
    }
  }

  return {
    /** The first rows of a folder. Rejects with the source's error only if nothing is stored. */
    async firstPage(place: Place, { view, fresh, refresh, early, ...slice }: FirstPageRequest, signal: AbortSignal): Promise<ListedPage> {
      const { linkId, path } = place;
      const folder = await findStored(linkId, path);
      if (folder?.isUnopened === 1) store.opened(folder.id).catch(onStoreError);
      if (!folder) {
        const reading = fresh ? await readings.readSince(place, now(), signal) : readings.read(place);
        await readings.watch(reading, early && !fresh ? reading.firstRows : reading.listing.complete, signal);
        return arrivingPage(reading, place, { view, early, ...slice }, signal);
      }
      if (fresh) return storedPage(await renewed(folder, place, signal), place, view, slice);
      if (refresh) refreshIfDue(folder, place);
      return storedPage(folder, place, view, slice);
    },

    /** Reads the folder from its source into the store, on Sheaf's own behalf. Rejects with the source's error. */
    async look(place: Omit<Place, 'isUnopened'>, signal: AbortSignal): Promise<void> {
      const reading = readings.read({ ...place, isUnopened: true });
      await readings.watch(reading, reading.stored, signal);
    },

    receive: readings.receive,

    /** Forgets what Sheaf knows of folders in the link that nobody has opened. */
    async forgetUnopened(linkId: string): Promise<void> {
      await store.detachUnopened(linkId);
      readings.sweep();
    },

    /** Further rows, stored or received; for an unknown folder after all of it has arrived, unless they are wanted early. */
    async page(place: Place, { view, early, ...slice }: PageRequest, signal: AbortSignal): Promise<ListedPage> {
      const folder = await findStored(place.linkId, place.path);
      if (folder) return storedPage(folder, place, view, slice);
      const known = readings.find(place.linkId, place.path);
      const reading = readings.read(place);
      await readings.watch(reading, early && reading === known ? reading.firstRows : reading.listing.complete, signal);
      return arrivingPage(reading, place, { view, early, ...slice }, signal);
    },

    /** Asks the source for a stored folder in the background, unless it was asked just now. */
    async refresh(place: Place): Promise<void> {
      const folder = await findStored(place.linkId, place.path);
      if (folder) refreshIfDue(folder, place);
    },

    /** Sizes of the folders in that folder, as far as the stored listings know them whole. */
    folderSizes: (linkId: string, path: string) => store.folderSizes(linkId, path),

    /**
     * Stored entries in the order of their names' bytes; see {@link ByteOrderSlice}. A listing older than `freshFor` milliseconds waits for the source,
     * and one that is not asked to be fresh stays as it is. Rejects as `firstPage` does.
     */
    async byteOrder(
      place: Place,
      { freshFor, ...slice }: ByteOrderSlice & { readonly freshFor?: number },
      signal: AbortSignal,
    ): Promise<readonly Entry[]> {
      const { linkId, path } = place;
      let folder = await findStored(linkId, path);
      if (!folder) {
        const reading = readings.read(place);
        await readings.watch(reading, reading.listing.complete, signal);
        folder = await afterStoring(reading, place, signal);
      } else if (freshFor !== undefined) {
        if (now() - folder.listedAt > freshFor) folder = await renewed(folder, place, signal);
        else refreshIfDue(folder, place);
      }
      return byteOrder(folder, slice);
    },

    /** The stored entry with that name, if the folder is stored. */
    async findEntry(linkId: string, folderPath: string, name: string): Promise<Entry | undefined> {
      const folder = await findStored(linkId, folderPath);
      return folder && store.entry(folder.id, name);
    },

    /**
     * Whether nothing is at the path of the place, as a listing of the last seconds tells; false also where that is not known. Asks the source for the
     * folder in the background where more such questions are to be expected.
     */
    isFree: (place: Place): Promise<boolean> =>
      freeNames.isFree(place.linkId, place.path, (folder) => refreshIfDue(folder, { ...place, path: parentOf(place.path) })),

    takingName: freeNames.taking,

    /** Reads a folder that Sheaf has just made, in the background: programs look for each file before they write it. */
    expect(place: Place): void {
      readings.read(place);
    },

    /** Names of the folder whose folded form begins with `start`; asks the source when the folder has never been listed. */
    async namesFrom(place: Place, start: string, signal: AbortSignal): Promise<string[]> {
      const folder = await findStored(place.linkId, place.path);
      if (folder) return store.namesFrom(folder.id, start);
      const reading = readings.read(place);
      await readings.watch(reading, reading.listing.complete, signal);
      if (reading.listing.spool()) return store.namesFrom((await afterStoring(reading, place, signal)).id, start);
      return [...(await reading.listing.entries()).keys()].filter((name) => foldName(name).startsWith(start));
    },

    /**
     * The folder's entries as stored, in batches, if its source has confirmed the listing since then (epoch milliseconds); otherwise undefined. They
     * lack hashes and do not tell symbolic links. Ends with {@link ListingReplaced} when a newer listing was stored meanwhile.
     */
    async storedSince(linkId: string, path: string, since: number): Promise<AsyncIterable<readonly Entry[]> | undefined> {
      const folder = await findStored(linkId, path);
      return folder && folder.listedAt >= since ? unlessReplaced(folder, { linkId, path }) : undefined;
    },

    /**
     * Applies a change that Sheaf made at the source: every link that lists the folder shows it at once, and an earlier listing does not undo it.
     */
    async note(linkId: string, path: string, change: Change): Promise<void> {
      await noteIn({ linkId, path }, change);
      for (const other of await elsewhere({ linkId, path })) await noteIn(other, change);
    },

    /** Forgets stored rows of a deleted folder and everything below it, in every link that lists it. */
    async forget(linkId: string, path: string): Promise<void> {
      await readings.forget(linkId, path);
      for (const other of await elsewhere({ linkId, path }, true)) await readings.forget(other.linkId, other.path);
    },

    sweep: readings.sweep,
    idle: readings.idle,
    close: readings.close,
  };
}

const isStored = (folder: StoredFolder): folder is Stored => folder.listedAt !== null;

function livePage({ listing, version, listedAt }: Reading, view: View, slice: Slice): ListedPage {
  const { entries, total } = listing.select(view, slice);
  if (total === undefined) return { entries, hasMore: true, stale: true, version: `${version}.${listing.size()}` };
  return {
    entries,
    total,
    unfiltered: listing.size(),
    hasMore: slice.offset + entries.length < total,
    ...(listedAt !== undefined && { listedAt }),
    stale: false,
    version,
  };
}
