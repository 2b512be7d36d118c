import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type ErrorAnswer, appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { TransferMetrics } from '#/platform/metrics/transfers.ts';
import type { AccountBandwidth } from './copying/account-bandwidth.ts';
import { type Bandwidth, bothLimits, createBandwidth } from './copying/bandwidth.ts';
import { type FileCopier, doneWith } from './copying/file-copy.ts';
import { isEmpty } from './copying/file-job.ts';
import { inPartsFrom } from './copying/in-parts.ts';
import type { Slots } from './copying/slots.ts';
import { type Ends, openEnds } from './rows/ends.ts';
import type { ItemRow, ItemStore } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly copier: FileCopier;
  readonly slots: Slots;
  /** Limits that the transfers of an account share. */
  readonly bandwidths: AccountBandwidth;
  readonly metrics: Pick<TransferMetrics, 'sent'>;
}

/** How a run ended: everything was tried, or it has to wait. */
export type RunEnd = { readonly kind: 'done' } | { readonly kind: 'wait'; readonly error: ErrorAnswer };

/** Files of one transfer under way at the same time, and large ones among them, whose parts are in memory. */
const [filesAtOnce, largeAtOnce] = [16, 4];
/** Files that are marked as running together: after a crash, each that is marked is looked for at the destination. */
const begunTogether = 16;
/** Rows fetched together. */
const window = 200;
/** Attempts of a file before it counts as failed. */
const mostAttempts = 5;
/** Attempts of a file whose end cannot be reached: the transfer waits in between, about a day in all. */
const mostWaits = 100;
/** Milliseconds before what failed is tried again: doubled from round to round. */
const [firstPause, longestPause] = [1000, 60_000];

/** Faults that may pass by themselves. */
const passing: readonly AppError['messageCode'][] = [
  'CANNOT_CONNECT',
  'CHANGED_MEANWHILE',
  'CONTENT_DAMAGED',
  'DATABASE_UNAVAILABLE',
  'LINK_BUSY',
  'LINK_UPLOADING',
  'SOURCE_BUSY',
  'SOURCE_CONFUSED',
  'SOURCE_SENT_PAGE',
  'SOURCE_TIMEOUT',
  'TRANSFER_CUT',
];
/** Faults of a whole end: no other file would fare better. */
const ofTheEnd: readonly AppError['messageCode'][] = [
  'ACCOUNT_DISABLED',
  'CANNOT_CONNECT',
  'SOURCE_BUSY',
  'LINK_BUSY',
  'LINK_UPLOADING',
  'SOURCE_TIMEOUT',
  'SOURCE_FULL',
];

/** Whether an error concerns a whole end, so that the transfer has to wait. */
export const isOfTheEnd = (error: unknown): error is AppError => isRow(error, ...ofTheEnd);

/** Another worker has the transfer. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
  constructor() {
    super('another worker has the transfer');
  }
}

/** Milliseconds for which a folder that the run has made counts as holding nothing else. */
const freshFor = 60_000;
/** Most folders that are remembered as made. */
const mostFresh = 1000;

/** Counters of a run, stored twice a second. */
export interface Counters {
  bytesDone: number;
  bytesSentTwice: number;
  itemsDone: number;
  itemsFailed: number;
}

/** Runs the items of a transfer in the order of the plan, files beside each other. */
export function createRunner({ links, listings, items, copier, slots, bandwidths, metrics }: Deps) {
  /** A fault with which the whole transfer has to wait. */
  class MustWait extends Error {
    override readonly name = 'MustWait';
    readonly answer: ErrorAnswer;
    constructor(answer: ErrorAnswer) {
      super(answer.message);
      this.answer = answer;
    }
  }

  async function storeItem(transfer: TransferRow, seq: number, change: Partial<ItemRow>, isRepeatable = false): Promise<void> {
    if (!(await items.write(transfer.id, seq, transfer.run, change, isRepeatable))) throw new RunLost();
  }

  async function makeFolder(transfer: TransferRow, item: ItemRow, { signal, madeFolders }: Tools): Promise<void> {
    const ends = await openEnds(links, transfer, item.source);
    const { to } = ends;
    if (item.isWhole === 1) return moveWhole(transfer, item, ends, signal);
    if (item.action !== 'merge') {
      if (!to.connector.createFolder) throw appError('SOURCE_CANNOT', { provider: to.provider });
      try {
        const entry = await to.connector.createFolder(item.toPath, { signal });
        madeFolders.add(item.toPath);
        await listings.note(to.userLinkId, parentOf(item.toPath), { put: entry });
      } catch (error) {
        const present = isRow(error, 'NAME_TAKEN') ? await entryAt(to.connector, item.toPath, signal) : undefined;
        if (present?.kind !== 'folder') throw error;
      }
    }
  }

  /** Lets the source move a folder itself; one that an earlier run has moved is not there any more. */
  async function moveWhole(transfer: TransferRow, item: ItemRow, { from, to }: Ends, signal: AbortSignal): Promise<void> {
    const { move } = from.connector;
    if (!move) throw appError('SOURCE_CANNOT', { provider: from.provider });
    try {
      const entry = await move(item.fromPath, item.toPath, { signal });
      await listings.note(to.userLinkId, parentOf(item.toPath), { put: entry });
    } catch (error) {
      const isMoved = isRow(error, 'ITEM_NOT_FOUND') && (await entryAt(to.connector, item.toPath, signal)) !== undefined;
      if (!isMoved) throw error;
    }
    await listings.note(from.userLinkId, parentOf(item.fromPath), { gone: nameOf(item.fromPath) });
    await listings.forget(from.userLinkId, item.fromPath);
    await storeItem(transfer, item.seq, { proof: 'server_side' });
  }

  async function copyFile(transfer: TransferRow, item: ItemRow, counters: Counters, tools: Tools): Promise<void> {
    const ends = await openEnds(links, transfer, item.source);
    const { from, to } = ends;
    const one = { id: from.userLinkId, slots: from.transferSlots };
    const other = { id: to.userLinkId, slots: to.transferSlots };
    const endsItem = transfer.kind === 'copy' && item.action !== 'replace';
    let passed = 0;
    const count = (bytes: number): void => {
      passed += bytes;
      counters.bytesDone += bytes;
    };
    try {
      await slots.run(one, other, tools.signal, async ({ isAlone, leaveFirst }) => {
        const { entry, toPath } = await copier.run({
          transfer,
          item,
          ends,
          toPath: item.toPath,
          ifExists: item.action === 'replace' ? 'replace' : 'fail',
          seenFree: item.attempts === 0 && tools.madeFolders.has(parentOf(item.toPath)),
          isAlone,
          endsItem,
          ...(transfer.kind === 'copy' && { sourceDone: leaveFirst }),
          bandwidth: tools.bandwidth,
          signal: tools.signal,
          count: (bytes) => {
            count(bytes);
            metrics.sent(transfer.kind, bytes);
          },
          sentTwice: (bytes) => (counters.bytesSentTwice += bytes),
          store: (change, isRepeatable) => storeItem(transfer, item.seq, change, isRepeatable),
        });
        await listings.note(to.userLinkId, parentOf(toPath), { put: entry });
        if (transfer.kind === 'move') await listings.note(from.userLinkId, parentOf(item.fromPath), { gone: nameOf(item.fromPath) });
        // What the plan knew of the size may have been nothing.
        count((entry.size ?? item.size ?? passed) - passed);
        if (!endsItem) await storeItem(transfer, item.seq, doneWith(entry));
        counters.itemsDone += 1;
      });
    } catch (error) {
      counters.bytesDone -= passed;
      throw error;
    }
  }

  /** Stores why an item failed; rejects when the whole transfer has to wait, or must not go on. */
  async function noteFailure(transfer: TransferRow, item: ItemRow, error: unknown, counters: Counters, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    const attempts = item.attempts + 1;
    const isPassing = passing.includes(error.messageCode);
    const answer = error.toAnswer();
    const isOver = !isPassing || attempts >= mostAttempts;
    if ((isOver && !ofTheEnd.includes(error.messageCode)) || attempts >= mostWaits) {
      await storeItem(transfer, item.seq, { state: 'failed', attempts, error: JSON.stringify(answer) });
      counters.itemsFailed += 1;
      return;
    }
    await storeItem(transfer, item.seq, { state: 'waiting', attempts, error: JSON.stringify(answer) });
    if (isOver || ofTheEnd.includes(error.messageCode)) throw new MustWait(answer);
  }

  /** One pass over all items that are still to be done. */
  async function pass(transfer: TransferRow, counters: Counters, tools: Tools): Promise<void> {
    const limiter = createLimiter(filesAtOnce);
    const large = createLimiter(largeAtOnce);
    const stop = new AbortController();
    const signal = AbortSignal.any([tools.signal, stop.signal]);
    const under = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    const fail = (error: unknown): void => {
      failure ??= { error };
      stop.abort(error);
    };
    const copy = (item: ItemRow): Promise<void> => copyFile(transfer, item, counters, { ...tools, signal });
    const isLarge = ({ size }: ItemRow): boolean => size === null || size >= inPartsFrom;
    /** Marks the next files as running. */
    const begin = async (rows: readonly ItemRow[]): Promise<void> => {
      const waiting = rows.filter(({ isFolder, state }) => isFolder === 0 && state === 'waiting').map(({ seq }) => seq);
      if (waiting.length > 0 && !(await items.begin(transfer.id, waiting, transfer.run))) throw new RunLost();
    };
    const attempt = async (item: ItemRow, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (failure) return;
        await noteFailure(transfer, item, error, counters, signal).catch(fail);
      }
    };
    try {
      for (let after = 0; ;) {
        const rows = await items.next(transfer.id, after, window);
        for (const [at, item] of rows.entries()) {
          if (at % begunTogether === 0) await begin(rows.slice(at, at + begunTogether)).catch(fail);
          if (failure || signal.aborted) break;
          after = item.seq;
          if (item.isFolder === 1) {
            await attempt(item, async () => {
              await makeFolder(transfer, item, { ...tools, signal });
              await storeItem(transfer, item.seq, { state: 'done', error: null });
              counters.itemsDone += 1;
            });
            continue;
          }
          const gate = Promise.withResolvers<void>();
          const run = limiter
            .run(signal, () => {
              gate.resolve();
              return attempt(item, () => (isLarge(item) ? large.run(signal, () => copy(item)) : copy(item)));
            })
            .catch(() => gate.resolve())
            .finally(() => under.delete(run));
          under.add(run);
          // Rows are fetched no faster than files begin.
          await gate.promise;
        }
        if (failure || signal.aborted || rows.length < window) break;
      }
    } finally {
      await Promise.allSettled(under);
    }
    if (failure) throw failure.error;
    tools.signal.throwIfAborted();
  }

  /** After a move: removes the folders at the source that are empty by now, the deepest first. */
  async function removeEmptied(transfer: TransferRow, signal: AbortSignal): Promise<void> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await items.movedFolders(transfer.id, before, window);
      for (const item of rows) {
        before = item.seq;
        if (item.isWhole === 1) continue;
        const { from } = await openEnds(links, transfer, item.source);
        if (item.fromPath === '/' || !(await isEmpty(from.connector, item.fromPath, signal))) continue;
        await from.connector.remove?.(item.fromPath, { signal });
        await listings.note(from.userLinkId, parentOf(item.fromPath), { gone: nameOf(item.fromPath) });
        await listings.forget(from.userLinkId, item.fromPath);
      }
      if (rows.length < window) return;
    }
  }

  return {
    /** Runs everything that is still to be done. Rejects when the signal aborts, or another worker has taken the transfer on. */
    async run(transfer: TransferRow, counters: Counters, signal: AbortSignal): Promise<RunEnd> {
      const own = createBandwidth(() => transfer.bytesPerSecond);
      const bandwidth = bothLimits(own, await bandwidths.of(transfer.accountId));
      const tools = { bandwidth, signal, madeFolders: createRecent() };
      try {
        for (let round = 0; (await items.next(transfer.id, 0, 1)).length > 0; round += 1) {
          if (round > 0) await pause(Math.min(longestPause, firstPause * 2 ** (round - 1)), signal);
          await pass(transfer, counters, tools);
        }
        if (transfer.kind === 'move' && counters.itemsFailed === 0) await removeEmptied(transfer, signal);
        return { kind: 'done' };
      } catch (error) {
        if (!(error instanceof MustWait)) throw error;
        return { kind: 'wait', error: error.answer };
      }
    },
  };
}
export type Runner = ReturnType<typeof createRunner>;

interface Tools {
  readonly bandwidth: Bandwidth;
  readonly signal: AbortSignal;
  /** Paths of folders that the run has made a moment ago: they hold nothing but its own files. */
  readonly madeFolders: ReturnType<typeof createRecent>;
}

/** Remembers paths for {@link freshFor}, and the latest {@link mostFresh} only. */
function createRecent() {
  const times = new Map<string, number>();
  return {
    add(path: string): void {
      times.delete(path);
      times.set(path, performance.now());
      const [oldest] = times.keys();
      if (oldest !== undefined && times.size > mostFresh) times.delete(oldest);
    },
    has: (path: string): boolean => performance.now() - (times.get(path) ?? -Infinity) < freshFor,
  };
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => sleep(milliseconds, undefined, { signal });
