import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, appError } from '@sheaf/contract';
import { Type } from 'typebox';
import { isRow } from '#/files/items/entry-at.ts';
import { type Links, openItem } from '#/files/items/open-item.ts';
import { type JobContext, type JobHandler, type RunAgain, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { RunResult, TransferMetrics } from '#/platform/metrics/transfers.ts';
import type { createPlanner } from './planner.ts';
import { isTooMuch, roomOf } from './planning/room.ts';
import type { Speeds } from './planning/speeds.ts';
import { targetOf } from './rows/ends.ts';
import type { ItemStore } from './rows/item-store.ts';
import type { TransferRow, TransferStore } from './rows/store.ts';
import { type Counters, type RunEnd, RunLost, type Runner, isOfTheEnd } from './runner.ts';

interface Deps {
  readonly links: Links;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly planner: ReturnType<typeof createPlanner>;
  readonly runner: Runner;
  readonly speeds: Speeds;
  readonly metrics: Pick<TransferMetrics, 'begin'>;
  /** Called when a transfer was given up because its process died on every attempt. */
  readonly onGivenUp: (transfer: TransferRow) => Promise<unknown>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Stores progress of the job: a process that is killed after it does not count as one that the job has brought down. */
type Checkpoint = JobContext<unknown>['checkpoint'];
type Job = Pick<JobContext<unknown>, 'attempt' | 'signal' | 'checkpoint'>;

export const transferJob = 'transfers.run';
/** Transfers of one account that run at the same time, unless operators say otherwise. */
const transfersAtOnce = 3;
/** Milliseconds between two writes of a running transfer's progress; also the time after which a pause is noticed. */
const beat = 500;
/** Milliseconds until a waiting transfer is tried again: doubled from time to time. */
const [firstWait, longestWait] = [15_000, 900_000];

const Payload = Type.Object({ transferId: Type.String() });

/** The job that plans a transfer and runs it. Each call makes another one: of two workers on the same transfer the later one goes on. */
export const jobOf = ({ id, accountId }: Pick<TransferRow, 'id' | 'accountId'>, atOnce = transfersAtOnce): JobRequest => ({
  scope: accountId,
  kind: transferJob,
  payload: { transferId: id },
  priority: 'low',
  lane: { name: `transfers:${accountId}`, limit: atOnce },
});

export interface TransferWork {
  readonly job: JobHandler;
  /** Ends this process's work on a transfer that was paused or cancelled at once; another process notices within half a second. */
  stop(transferId: string): void;
}

/** Works on transfers: plans, runs, waits, and ends them. */
export function createTransferWork({ links, transfers, items, planner, runner, speeds, metrics, onGivenUp, now }: Deps): TransferWork {
  /** What ends the work of this process, by transfer. */
  const stops = new Map<string, AbortController>();

  /** Stores progress until `work` has ended, and follows a changed limit; aborts it when the transfer is paused, cancelled, or taken on by another worker. */
  async function watched<T>(
    transfer: TransferRow,
    signal: AbortSignal,
    progress: () => Partial<TransferRow>,
    checkpoint: Checkpoint,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const over = new AbortController();
    stops.set(transfer.id, stop);
    const beats = (async () => {
      for (let last = ''; !over.signal.aborted && !both.aborted;) {
        await sleep(beat, undefined, { signal: AbortSignal.any([over.signal, both]) }).catch(() => undefined);
        if (over.signal.aborted || both.aborted) return;
        const change = progress();
        const text = JSON.stringify(change);
        if (text !== last && (await transfers.write(transfer, change))) {
          last = text;
          await checkpoint(change);
        }
        const row = await transfers.find(transfer.accountId, transfer.id);
        if (row?.run !== transfer.run) stop.abort(new RunLost());
        else if (row.state !== transfer.state) stop.abort(new StateChanged());
        else transfer.bytesPerSecond = row.bytesPerSecond;
      }
    })().catch((error: unknown) => stop.abort(error));
    try {
      return await work(both);
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      over.abort();
      if (stops.get(transfer.id) === stop) stops.delete(transfer.id);
      await beats;
    }
  }

  async function plan(transfer: TransferRow, signal: AbortSignal, checkpoint: Checkpoint): Promise<TransferRow> {
    let sums: Partial<TransferRow> = {};
    let summedAt = 0;
    await watched(
      transfer,
      signal,
      () => sums,
      checkpoint,
      (both) =>
        planner.plan(transfer, both, async () => {
          if (performance.now() - summedAt < 2000) return;
          sums = await transfers.sums(transfer.id);
          summedAt = performance.now();
        }),
    );
    const found = await transfers.sums(transfer.id);
    const room = await roomOf(links, transfer, signal);
    const isFull = isTooMuch(room, found.bytesTotal);
    // The plan of a mirror may say why it must not start by itself.
    const { isAutomatic = 0, error = null } = (await transfers.find(transfer.accountId, transfer.id)) ?? {};
    const starts = isAutomatic === 1 && found.problems === 0 && !isFull;
    const change = {
      ...found,
      error: isFull ? JSON.stringify(appError('SOURCE_FULL', { provider: room.provider }).toAnswer()) : error,
      state: starts ? ('running' as const) : ('planned' as const),
      ...(starts && { startedAt: transfer.startedAt ?? now() }),
    };
    const row = await transfers.write(transfer, change);
    if (!row) throw new StateChanged();
    return row;
  }

  /** Runs the plan, and then what the sources have got since folders were listed. */
  async function runAll(transfer: TransferRow, counters: Counters, signal: AbortSignal): Promise<RunEnd> {
    for (;;) {
      const end = await runner.run(transfer, counters, signal);
      if (end.kind === 'wait') return end;
      try {
        if (!(await planner.confirm(transfer, signal))) return end;
      } catch (error) {
        if (!isOfTheEnd(error)) throw error;
        return { kind: 'wait', error: error.toAnswer() };
      }
    }
  }

  /** Runs it, and counts the run. */
  async function run(transfer: TransferRow, job: Job): Promise<RunAgain | void> {
    const ended = metrics.begin(transfer.kind);
    let result: RunResult = 'stopped';
    try {
      return await runOnce(transfer, job, (found) => (result = found));
    } catch (error) {
      if (error instanceof AppError && !job.signal.aborted) result = 'failed';
      throw error;
    } finally {
      ended(result);
    }
  }

  async function runOnce(
    transfer: TransferRow,
    { attempt, signal, checkpoint }: Job,
    onResult: (result: RunResult) => void,
  ): Promise<RunAgain | void> {
    const begun = await countersOf(transfer);
    const counters = { ...begun };
    const beganAt = performance.now();
    const end = await watched(
      transfer,
      signal,
      () => ({ ...counters, bytesDone: Math.max(0, counters.bytesDone) }),
      checkpoint,
      (both) => runAll(transfer, counters, both),
    );
    const moved = { bytes: counters.bytesDone - begun.bytesDone, items: counters.itemsDone - begun.itemsDone };
    await speeds.note(transfer, moved, (performance.now() - beganAt) / 1000);
    const found = await transfers.sums(transfer.id);
    const { bytesDone, bytesSentTwice } = counters;
    const progress = { bytesDone: Math.max(0, bytesDone), bytesSentTwice, itemsDone: found.itemsDone, itemsFailed: found.itemsFailed };
    if (end.kind === 'wait' && (await isDisabled(transfer))) {
      // For weeks, perhaps: the person resumes it once the account is enabled.
      await transfers.write(transfer, { ...progress, state: 'paused', waitingUntil: null, error: null });
      return;
    }
    if (end.kind === 'wait') {
      const wait = Math.min(longestWait, firstWait * 2 ** Math.min(attempt - 1, 10));
      const waiting = { ...progress, state: 'waiting' as const, waitingUntil: now() + wait, error: JSON.stringify(end.error) };
      if (!(await transfers.write(transfer, waiting))) throw new StateChanged();
      onResult('waiting');
      return { again: wait };
    }
    const state = found.itemsFailed > 0 ? ('failed' as const) : ('done' as const);
    await transfers.write(transfer, {
      ...progress,
      bytesTotal: Math.max(found.bytesTotal, 0),
      itemsTotal: found.itemsTotal,
      problems: found.problems,
      state,
      endedAt: now(),
      waitingUntil: null,
      error: null,
    });
    onResult(state);
  }

  /** Whether the account is disabled, which also cuts its connections: a run may have seen only that. */
  async function isDisabled({ accountId, target }: TransferRow): Promise<boolean> {
    try {
      await openItem(links, accountId, targetOf({ target }).linkUri);
      return false;
    } catch (error) {
      return isRow(error, 'ACCOUNT_DISABLED');
    }
  }

  /** What an earlier run has finished. Bytes that it had sent of unfinished files are sent again. */
  async function countersOf({ id, bytesDone, bytesSentTwice }: TransferRow): Promise<Counters> {
    const { itemsDone, itemsFailed } = await transfers.sums(id);
    const kept = await items.bytesDone(id);
    return {
      bytesDone: kept.done,
      bytesSentTwice: bytesSentTwice + Math.max(0, bytesDone - kept.done - kept.inParts),
      itemsDone,
      itemsFailed,
    };
  }

  async function work(transferId: string, job: Job): Promise<RunAgain | void> {
    const { signal } = job;
    let transfer = await transfers.begin(transferId);
    if (!transfer) return;
    try {
      if (transfer.state === 'planning') transfer = await plan(transfer, signal, job.checkpoint);
      if (transfer.state === 'waiting') transfer = await transfers.write(transfer, { state: 'running', waitingUntil: null });
      if (transfer?.state === 'running') return await run(transfer, job);
    } catch (error) {
      if (error instanceof RunLost || error instanceof StateChanged) return;
      if (signal.aborted || !transfer || !(error instanceof AppError)) throw error;
      if (error.messageCode === 'ACCOUNT_DISABLED') return { again: longestWait };
      // A plan that cannot be made, or rights that were withdrawn: for the user to see and try again.
      const failed = { state: 'failed' as const, endedAt: now(), error: JSON.stringify(error.toAnswer()) };
      await transfers.write(transfer, failed);
    }
  }

  return {
    job: defineJob({
      kind: transferJob,
      payload: Payload,
      attempts: 10,
      run: (job) => work(job.payload.transferId, job),
      async died({ scope, payload }) {
        const answer = appError('TRANSFER_ABORTED', {}).toAnswer();
        const failed = { state: 'failed' as const, endedAt: now(), waitingUntil: null, error: JSON.stringify(answer) };
        await transfers.change(payload.transferId, ['planning', 'running', 'waiting'], failed);
        const transfer = await transfers.find(scope, payload.transferId);
        if (transfer) await onGivenUp(transfer);
      },
    }),
    stop: (transferId) => stops.get(transferId)?.abort(new StateChanged()),
  };
}

/** The transfer was paused or cancelled. */
class StateChanged extends Error {
  override readonly name = 'StateChanged';
  constructor() {
    super('the transfer was paused or cancelled');
  }
}
