import { setTimeout as sleep } from 'node:timers/promises';
import { type Connector, reasonOf, unlessAborted, markHandled } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { createBudget } from './budget.ts';
import { createFailures } from './failures.ts';
import { type LiveListing, beginListing } from './live-listing.ts';
import { createReceiving } from './receiving.ts';
import { pathKeyOf } from './rows/folder-rows.ts';
import type { Spools } from './rows/spool.ts';
import type { ListingStore } from './rows/store.ts';
import { createStoring } from './storing.ts';

/** A folder of an open link. */
export interface Place {
  /** The user whose budget the listing uses. */
  readonly userId: string;
  readonly linkId: string;
  readonly connector: Pick<Connector, 'list'>;
  readonly path: string;
  /** Sheaf looks by itself; no user opens the folder. */
  readonly isUnopened?: true;
}

/** A folder that is being read from its source into the store. */
export interface Reading {
  readonly linkId: string;
  readonly path: string;
  /** Sheaf looks by itself. */
  readonly isUnopened: boolean;
  readonly listing: LiveListing;
  /** The folder's version once the listing is stored, if it differs from the stored one. */
  readonly version: string;
  /** Resolves when there is something to show; rejects when the source failed. */
  readonly firstRows: Promise<unknown>;
  /** Settles when the listing is stored; rejects when the source failed. */
  stored: Promise<void>;
  watchers: number;
  /** How often its rows were shown. */
  looks: number;
  /** When its rows were last shown; epoch milliseconds. */
  seenAt: number;
  /** When everything had arrived; epoch milliseconds. */
  listedAt: number | undefined;
  /** Why the listing could not be stored. */
  unstored: unknown;
}

export interface ReadingDeps {
  readonly store: ListingStore;
  readonly spools: Pick<Spools, 'open' | 'close'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newVersion: () => string;
  /** Called when a listing could not be stored, which no user waits for. */
  readonly onStoreError: (error: unknown) => void;
  /** Called when the stored listing of a folder has other entries than before, or was forgotten. */
  readonly tell?: ((linkId: string, path: string, change: 'changed' | 'gone') => void) | undefined;
  /** Called when a look into a known folder has found new items. */
  readonly arrived?: Parameters<typeof createStoring>[0]['arrived'];
  /** Most bytes of one user's incoming listings. */
  readonly budgetLimit?: number;
}

/** How long the first rows of an unknown folder wait for the rest, so that a folder of a few hundred arrives whole; ms. */
const firstRowsWait = 150;
/** A user who pages through an unknown folder requests the next page within this time; ms. */
const betweenPages = 50;
/** How often in a row storing waits for that. */
const mostPauses = 40;
/** A listing without viewers is aborted after this time; ms. */
const forgottenAfter = 30_000;
/** Interval of that check; ms. */
const checkEvery = 5000;

/** Reads folders from their sources into the store: each once at a time, however many users want it. */
export function createReadings({ store, spools, now, newVersion, onStoreError, tell, arrived, budgetLimit }: ReadingDeps) {
  const live = new Map<string, Reading>();
  const failures = createFailures(now);
  const budget = createBudget(budgetLimit);
  const closing = new AbortController();
  let sweeping = Promise.resolve();
  const sweep = (): void => {
    sweeping = sweeping.then(() => store.sweep(closing.signal)).catch(onStoreError);
  };

  const put = createStoring({ store, spools, tell, arrived, forget });

  /** The running reading of a folder, or a new one. */
  function read(place: Place): Reading {
    const key = keyOf(place.linkId, place.path);
    const known = live.get(key);
    if (known && !known.listing.isStopped()) return known;
    const isWanted = (): boolean => reading.watchers > 0 || now() - reading.seenAt < forgottenAfter;
    const share = budget.open(place.userId);
    const listing = beginListing({ ...place, begunAt: now(), isWanted, take: share.take, openSpool: spools.open });
    // Also stops sources that send little and rarely.
    const checking = setInterval(() => {
      if (!isWanted()) listing.stop();
    }, checkEvery).unref();
    listing.complete.catch(() => undefined).finally(() => clearInterval(checking));
    const reading: Reading = {
      linkId: place.linkId,
      path: place.path,
      isUnopened: place.isUnopened ?? false,
      listing,
      version: newVersion(),
      firstRows: markHandled(Promise.race<unknown>([listing.complete, listing.many, listing.begun.then(() => sleep(firstRowsWait))])),
      stored: Promise.resolve(),
      watchers: 0,
      looks: 0,
      seenAt: now(),
      listedAt: undefined,
      unstored: undefined,
    };
    reading.stored = markHandled(
      keep(reading).finally(() => {
        listing.spool()?.close();
        share.release();
        if (live.get(key) === reading) live.delete(key);
      }),
    );
    live.set(key, reading);
    return reading;
  }

  /** Follows a reading to its end: stores rows, or records the failure. */
  async function keep(reading: Reading): Promise<void> {
    const { linkId, path, isUnopened, listing, version } = reading;
    await listing.complete.catch(async (error: unknown) => {
      if (error instanceof AppError && !listing.isStopped()) {
        failures.set(keyOf(linkId, path), error);
        if (isGone(error)) await forget(linkId, path);
      }
      throw error;
    });
    const listedAt = now();
    reading.listedAt = listedAt;
    failures.clear(keyOf(linkId, path));
    try {
      const folder = await store.openFolder(linkId, path, isUnopened);
      if (folder.listedAt === null && !isUnopened && !listing.spool()) await pauseForReader(reading);
      const fingerprint = await listing.fingerprint();
      await put(folder, { ...listing, linkId, path, facts: { fingerprint, version, begunAt: listing.begunAt, listedAt } });
    } catch (error) {
      reading.unstored = error;
      onStoreError(error);
    }
  }

  /** Storing thousands of rows would delay a user who is paging through them; they are shown from memory meanwhile. */
  async function pauseForReader(reading: Reading): Promise<void> {
    for (let pauses = 0; pauses < mostPauses && !closing.signal.aborted; pauses++) {
      const { looks } = reading;
      await sleep(betweenPages);
      if (reading.looks === looks) return;
    }
  }

  async function forget(linkId: string, path: string): Promise<void> {
    const below = path === '/' ? '/' : `${path}/`;
    for (const reading of live.values()) {
      if (reading.linkId === linkId && (reading.path === path || reading.path.startsWith(below))) reading.listing.stop();
    }
    await store.detach(linkId, path);
    tell?.(linkId, path, 'gone');
    sweep();
  }

  return {
    read,

    /** A reading that began after `since` (epoch milliseconds), so that it includes everything before. */
    async readSince(place: Place, since: number, signal: AbortSignal): Promise<Reading> {
      for (;;) {
        const reading = read(place);
        if (reading.listing.begunAt >= since) return reading;
        await unlessAborted(Promise.allSettled([reading.stored]), signal, reasonOf);
        // Asking a source again that has just not answered would take as long once more.
        const failure = failures.get(keyOf(place.linkId, place.path));
        if (failure && failure.at >= since && failure.error.messageCode === 'SOURCE_TIMEOUT') return reading;
      }
    },

    /** The running reading. */
    find: (linkId: string, path: string): Reading | undefined => live.get(keyOf(linkId, path)),

    /** Waits for a part of a reading; stops the source when everybody who waited has left without seeing anything. */
    async watch(reading: Reading, part: Promise<unknown>, signal: AbortSignal): Promise<void> {
      reading.watchers++;
      try {
        await unlessAborted(part, signal, reasonOf);
        reading.looks++;
        reading.seenAt = now();
      } finally {
        reading.watchers--;
        if (reading.watchers === 0 && reading.looks === 0 && signal.aborted) reading.listing.stop();
      }
    },

    /** Why and when the last reading failed, if it did. */
    failureOf: (linkId: string, path: string) => failures.get(keyOf(linkId, path)),

    /** A folder that arrives within the listing of a whole tree. */
    receive: createReceiving({ store, spools, keep: put, newVersion, now }),

    /** Forgets stored rows of a deleted folder and everything below it. */
    forget,

    /** Deletes forgotten rows in the background. */
    sweep,

    /** Resolves when nothing is running. */
    async idle(): Promise<void> {
      while (live.size > 0) await Promise.allSettled([...live.values()].map(({ stored }) => stored));
      await sweeping;
    },

    /** Stops everything and waits for pending writes. */
    async close(): Promise<void> {
      const readings = [...live.values()];
      for (const { listing } of readings) listing.stop();
      await Promise.allSettled(readings.map(({ stored }) => stored));
      closing.abort();
      await sweeping;
      await spools.close();
    },
  };
}

/** Whether the error says that the folder does not exist. */
export const isGone = (error: AppError): boolean => error.messageCode === 'ITEM_NOT_FOUND' || error.messageCode === 'NOT_A_FOLDER';

const keyOf = (linkId: string, path: string): string => `${linkId}:${pathKeyOf(path)}`;
