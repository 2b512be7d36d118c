import { isTemporary } from '@sheaf/connectors';
import {
  type InputOf,
  type PlanItem,
  type ReplyOf,
  type Transfer,
  type TransferKind,
  type TransferPlace,
  appError,
  type changeTransferPlan,
  type copyObjects,
  isFileName,
  type listTransfers,
  type planTransfer,
  type transferPlan,
} from '@sheaf/contract';
import { type Links, type OpenItem, cannotChange, openItem } from '#/files/items/open-item.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { LimitOf } from '#/platform/limit-of.ts';
import { refuseToLose } from './mirror/keeping.ts';
import type { createPlanner } from './planner.ts';
import { outlookOf } from './planning/outlook.ts';
import type { Speeds } from './planning/speeds.ts';
import { rcloneChecksOf } from './rclone-check.ts';
import { shownPath } from './rows/ends.ts';
import type { ItemStore } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';
import { planItemOf, transferOf } from './shown.ts';
import type { createUndoing } from './undo.ts';
import { jobOf } from './work.ts';

interface Deps {
  readonly links: Links;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly planner: ReturnType<typeof createPlanner>;
  readonly speeds: Speeds;
  readonly undoing: ReturnType<typeof createUndoing>;
  /** Ends this process's work on a transfer. */
  readonly stop: (transferId: string) => void;
  readonly limitOf: LimitOf;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type Input<C> = Omit<InputOf<C>, 'rTag'>;
type Wish = Input<typeof copyObjects> & Partial<Pick<Input<typeof planTransfer>, 'verify' | 'bytesPerSecond' | 'keepVersions'>>;

/** Identity of a transfer that a schedule starts. */
interface Run {
  readonly id?: string;
  readonly scheduleId?: string;
}

export type TransferService = ReturnType<typeof createTransferService>;

/** Transfers of one account that have not ended: each has a row and a job, which all accounts wait for. */
const mostUnfinished = 1000;

/** Transfers of a user between their links: planned, run in the background, watched, paused, undone. */
export function createTransferService({ links, transfers, items, planner, speeds, undoing, stop, limitOf, enqueue, newId, now }: Deps) {
  /** Lets a worker take the transfer; it waits while as many of the account run as may. */
  const start = async (row: TransferRow): Promise<unknown> => enqueue(jobOf(row, await limitOf(row.accountId, 'transfers')));
  /** Ids sort by time. */
  const makeId = (): string => now().toString(36).padStart(9, '0') + newId();

  /** Makes sure that a stored transfer has a job: the process that stored it may have been killed before it enqueued one. */
  async function goOn(row: TransferRow): Promise<{ transferId: string }> {
    if (row.state === 'planning') await start(row);
    return { transferId: row.id };
  }

  async function create(
    userId: string,
    kind: TransferKind,
    wish: Wish,
    isAutomatic: boolean,
    run: Run = {},
  ): Promise<{ transferId: string }> {
    const {
      linkUri: uris,
      parentLinkUri,
      conflict,
      verify = 'auto',
      bytesPerSecond,
      keepVersions = 'folder',
      newName,
      idempotencyKey,
    } = wish;
    const begun = idempotencyKey === undefined ? undefined : await transfers.findByKey(userId, idempotencyKey);
    if (begun) return goOn(begun);
    const to = await openItem(links, userId, parentLinkUri);
    if (!to.connector.write) throw cannotChange(to);
    if (kind === 'mirror') refuseToLose(to, keepVersions);
    if (newName !== undefined) checkNewName(newName, uris, to);
    const sources: TransferPlace[] = [];
    for (const linkUri of new Set(uris)) {
      const from = await openItem(links, userId, linkUri);
      if (kind === 'move' && !from.connector.remove) throw cannotChange(from);
      if (kind === 'move' && from.path === '/') throw appError('SOURCE_CANNOT', { provider: from.provider });
      sources.push({ linkUri, path: shownPath(from), isFolder: false, ...(newName !== undefined && { newName }) });
    }
    const time = now();
    const row: TransferRow = {
      id: run.id ?? makeId(),
      accountId: userId,
      kind,
      state: 'planning',
      sources: JSON.stringify(sources),
      target: JSON.stringify({ linkUri: parentLinkUri, path: shownPath(to), isFolder: true }),
      conflict,
      verify,
      bytesPerSecond: bytesPerSecond ?? null,
      isAutomatic: isAutomatic ? 1 : 0,
      problems: 0,
      itemsTotal: 0,
      itemsDone: 0,
      itemsFailed: 0,
      bytesTotal: 0,
      bytesDone: 0,
      bytesSentTwice: 0,
      createdAt: time,
      startedAt: null,
      endedAt: null,
      waitingUntil: null,
      error: null,
      run: 0,
      changedAt: time,
      isUndone: 0,
      undoLeft: null,
      keepVersions: kind === 'mirror' ? keepVersions : null,
      scheduleId: run.scheduleId ?? null,
      idempotencyKey: idempotencyKey ?? null,
    };
    if (run.scheduleId === undefined && (await transfers.countUnfinished(userId, mostUnfinished)) >= mostUnfinished)
      throw appError('TOO_MANY_TRANSFERS', { most: String(mostUnfinished) });
    await transfers.insert(row);
    // Of two requests at once with one key, one stores its row.
    return goOn(idempotencyKey === undefined ? row : ((await transfers.findByKey(userId, idempotencyKey)) ?? row));
  }

  async function own(userId: string, id: string): Promise<TransferRow> {
    const row = await transfers.find(userId, id);
    if (!row) throw appError('TRANSFER_GONE', {});
    return row;
  }

  /** Changes the state if it is one of these; rejects with TRANSFER_STATE otherwise. */
  async function change(userId: string, id: string, from: readonly TransferRow['state'][], to: Partial<TransferRow>): Promise<TransferRow> {
    await own(userId, id);
    const row = await transfers.change(id, from, to);
    if (!row) throw appError('TRANSFER_STATE', {});
    return row;
  }

  async function begin(row: TransferRow): Promise<Transfer> {
    await start(row);
    return transferOf(row, now());
  }

  const running = () => ({ state: 'running' as const, endedAt: null, waitingUntil: null, error: null });

  return {
    copy: (userId: string, wish: Wish) => create(userId, 'copy', wish, true),
    move: (userId: string, wish: Wish) => create(userId, 'move', wish, true),
    /** Starts a run of a schedule. With the id of a stored transfer it only makes sure that this one goes on. */
    async scheduled(userId: string, kind: TransferKind, wish: Wish, run: Required<Run>): Promise<void> {
      const row = await transfers.find(userId, run.id);
      if (row) await start(row);
      else await create(userId, kind, wish, true, run);
    },
    newId: makeId,
    plan: (userId: string, { kind, ...wish }: Input<typeof planTransfer>) => create(userId, kind, wish, false),

    async planned(
      userId: string,
      { transferId, offset, limit, only, state }: Input<typeof transferPlan>,
      signal: AbortSignal,
    ): Promise<ReplyOf<typeof transferPlan>> {
      const row = await own(userId, transferId);
      const filter = { only, state };
      const [counts, proofs, sums, unknownSizes, rows, total] = await Promise.all([
        transfers.counts(row.id),
        transfers.proofs(row.id),
        transfers.sums(row.id),
        transfers.unknownSizes(row.id),
        items.page(row.id, filter, offset, limit),
        items.count(row.id, filter),
      ]);
      const rcloneChecks = rcloneChecksOf(row);
      const outlook = row.state === 'planned' ? await outlookOf({ links, speeds }, row, sums, signal) : {};
      return {
        state: row.state,
        counts,
        proofs,
        ...(rcloneChecks && { rcloneChecks }),
        bytes: sums.bytesTotal,
        unknownSizes,
        ...outlook,
        items: rows.map((item): PlanItem => planItemOf(item)),
        total,
        hasMore: offset + rows.length < total,
      };
    },

    /** Decides taken names of a plan that has not started. */
    async decide(userId: string, { transferId, conflict, itemId, reason }: Input<typeof changeTransferPlan>): Promise<Transfer> {
      const row = await own(userId, transferId);
      if (row.state !== 'planned' || row.kind === 'mirror') throw appError('TRANSFER_STATE', {});
      await planner.decide(row, conflict, { seqs: itemId?.map(Number).filter(Number.isSafeInteger), reason });
      const needsListing = (await items.unlisted(row.id, 1)).length > 0;
      const changed = await transfers.change(row.id, ['planned'], {
        ...(await transfers.sums(row.id)),
        ...(itemId === undefined && reason === undefined && { conflict }),
        ...(needsListing && { state: 'planning', isAutomatic: 0 }),
      });
      if (!changed) throw appError('TRANSFER_STATE', {});
      return needsListing ? begin(changed) : transferOf(changed, now());
    },

    async start(userId: string, id: string): Promise<Transfer> {
      return begin(await change(userId, id, ['planned'], { ...running(), startedAt: now() }));
    },
    async pause(userId: string, id: string): Promise<Transfer> {
      const row = await change(userId, id, ['running', 'waiting'], { state: 'paused', waitingUntil: null });
      stop(id);
      return transferOf(row, now());
    },
    async resume(userId: string, id: string): Promise<Transfer> {
      return begin(await change(userId, id, ['paused', 'waiting'], running()));
    },
    async cancel(userId: string, id: string): Promise<Transfer> {
      const row = await change(userId, id, openStates, {
        state: 'canceled',
        endedAt: now(),
        waitingUntil: null,
      });
      stop(id);
      await undoing.abandon(row);
      return transferOf(row, now());
    },
    limit: async (userId: string, id: string, bytesPerSecond: number | undefined): Promise<Transfer> =>
      transferOf(await change(userId, id, openStates, { bytesPerSecond: bytesPerSecond ?? null }), now()),
    /** Tries items that have failed again: these, or all. */
    async retry(userId: string, id: string, itemIds?: readonly string[]): Promise<Transfer> {
      const row = await own(userId, id);
      if (row.state !== 'failed' || row.isUndone === 1) throw appError('TRANSFER_STATE', {});
      const seqs = itemIds?.map(Number).filter(Number.isSafeInteger);
      if (seqs?.length === 0) throw appError('INVALID_PARAMETER', { field: 'itemId' });
      await items.retry(id, seqs);
      const isPlanned = row.startedAt !== null;
      return begin(await change(userId, id, ['failed'], isPlanned ? running() : { ...running(), state: 'planning' }));
    },
    async undo(userId: string, id: string): Promise<Transfer> {
      const row = await own(userId, id);
      if (!transferOf(row, now()).canUndo) throw appError('TRANSFER_STATE', {});
      return transferOf(await undoing.undo(row), now());
    },

    one: async (userId: string, id: string): Promise<Transfer> => transferOf(await own(userId, id), now()),

    async list(userId: string, { offset, limit }: Input<typeof listTransfers>): Promise<ReplyOf<typeof listTransfers>> {
      const { rows, total } = await transfers.list(userId, offset, limit);
      return { transfers: rows.map((row) => transferOf(row, now())), total, hasMore: offset + rows.length < total };
    },

    /** The user's transfers that have ended and done something, but for those of schedules, the newest first. */
    async recent(userId: string, limit: number): Promise<(Transfer & { readonly isUndone: boolean })[]> {
      const rows = await transfers.ended(userId, limit);
      return rows.map((row) => ({ ...transferOf(row, now()), isUndone: row.isUndone === 1 }));
    },

    /**
     * Watches the user's transfers from now on: each call of what it returns gives those that have changed since the last one. Two changes may have the same
     * time, and instances have clocks of their own, so each look goes back a little, and what it has told already is left out.
     */
    async watch(userId: string): Promise<() => Promise<readonly Transfer[]>> {
      let latest = now();
      let told = new Map<string, string>();
      const look = async (): Promise<readonly Transfer[]> => {
        const rows = await transfers.changedSince(userId, latest - clocksDiffer);
        latest = Math.max(latest, ...rows.map(({ changedAt }) => Number(changedAt)));
        const shown = rows.map((row) => transferOf(row, now()));
        const texts = new Map(shown.map((transfer) => [transfer.transferId, JSON.stringify(transfer)]));
        const changed = shown.filter(({ transferId }) => told.get(transferId) !== texts.get(transferId));
        told = texts;
        return changed;
      };
      await look();
      return look;
    },

    /** Rejects with TRANSFER_STATE until the transfer has ended. */
    async ended(userId: string, id: string): Promise<void> {
      if ((await own(userId, id)).endedAt === null) throw appError('TRANSFER_STATE', {});
    },

    /** Files of a transfer, page by page, for its report. */
    async *files(userId: string, id: string): AsyncGenerator<readonly Awaited<ReturnType<ItemStore['filesAfter']>>[number][]> {
      await own(userId, id);
      for (let after = 0; ;) {
        const rows = await items.filesAfter(id, after, reportPage);
        if (rows.length > 0) yield rows;
        after = rows.at(-1)?.seq ?? after;
        if (rows.length < reportPage) return;
      }
    },
  };
}

function checkNewName(newName: string, uris: readonly string[], { provider }: OpenItem): void {
  if (uris.length !== 1) throw appError('INVALID_PARAMETER', { field: 'newName' });
  if (!isFileName(newName) || isTemporary(newName)) throw appError('FILE_NAME_REFUSED', { provider, name: newName });
}

/** Milliseconds by which the clocks of two instances may differ. */
const clocksDiffer = 5000;
/** States of a transfer that has not ended. */
const openStates: readonly TransferRow['state'][] = ['planning', 'planned', 'running', 'paused', 'waiting'];
/** Rows of a report that are read together. */
const reportPage = 1000;
