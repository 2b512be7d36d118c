import type { Logger } from 'pino';
import type { Tracing } from '#/platform/tracing/tracing.ts';
import type { ClaimStore } from './claim-store.ts';
import type { Outcome } from './end-store.ts';
import type { Endings } from './endings.ts';
import { type JobContext, type JobHandler, type RunAgain, LeaseLost, PermanentFailure, localMark, reasonOf, retryWait } from './job.ts';
import type { JobRow } from './rows.ts';

interface Deps {
  readonly store: ClaimStore;
  readonly endings: Endings;
  readonly handlers: ReadonlyMap<string, JobHandler>;
  /** Milliseconds until a scheduled kind runs again. */
  readonly untilNext: (kind: string) => number;
  readonly log: Logger;
  readonly counted: (kind: string, result: string) => void;
  /** Called when the ending of an attempt is stored; must not reject. */
  readonly onEnd: (row: JobRow) => Promise<void>;
  readonly tracing?: Tracing | undefined;
}

/** Why a handler's signal aborts: another worker has the job, it was cancelled, or the process stops. */
type Abort = 'lost' | 'cancelled' | 'stopping';

class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly why: Abort;
  constructor(why: Abort) {
    super(`the job was aborted: ${why}`);
    this.why = why;
  }
}

/** A running attempt in this process. */
export interface Run {
  readonly row: JobRow;
  abort(reason: Abort): void;
  /** Resolves when the attempt has ended and its ending is stored. */
  readonly ended: Promise<void>;
}

/** How an attempt ended, for the metrics. */
function resultOf(outcome: Outcome): string {
  if (outcome.state !== 'ready') return outcome.state;
  if (outcome.reason !== undefined) return 'failed';
  return outcome.isSuccess ? 'done' : 'again';
}

/** Runs one claimed job and decides how its attempt ends. */
export function createRuns({ store, endings, handlers, untilNext, log, counted, onEnd, tracing }: Deps) {
  function contextOf(row: JobRow, signal: AbortSignal, lose: () => void, counts: (attempts: number) => void): JobContext<unknown> {
    const { id, scope, attempts: attempt } = row;
    return {
      id,
      scope,
      attempt,
      signal,
      payload: JSON.parse(row.payload) as unknown,
      progress: row.progress === null ? undefined : (JSON.parse(row.progress) as unknown),
      async checkpoint(progress) {
        const counted = await store.checkpoint(row, JSON.stringify(progress));
        if (counted !== undefined) return counts(counted);
        lose();
        throw new LeaseLost();
      },
      stillMine: () => store.isHeld(row),
    };
  }

  /** Outcome of a success: a scheduled job waits for its next time, any other is done. */
  function success({ kind }: JobRow, handler: JobHandler, result: void | RunAgain): Outcome {
    if (result) return { state: 'ready', wait: result.again, isSuccess: false };
    return handler.schedule === undefined ? { state: 'done' } : { state: 'ready', wait: untilNext(kind), isSuccess: true };
  }

  function failure({ attempts }: JobRow, handler: JobHandler, error: unknown): Outcome {
    const reason = reasonOf(error);
    const isLast = error instanceof PermanentFailure || (handler.schedule === undefined && attempts >= handler.attempts);
    // A retry is never later than the schedule's next time.
    const wait = handler.schedule === undefined ? retryWait(attempts) : Math.min(retryWait(attempts), untilNext(handler.kind));
    return isLast ? { state: 'dead', reason } : { state: 'ready', wait, isSuccess: false, reason };
  }

  /** A handler that fails here does not keep the job alive: the log says so. */
  async function died({ scope, id, kind, payload }: JobRow): Promise<void> {
    try {
      await handlers.get(kind)?.died?.({ scope, payload: JSON.parse(payload) as unknown });
    } catch (error) {
      log.error({ job: id, kind, err: error }, 'the end of a job could not be noted');
    }
  }

  async function attempt(row: JobRow, handler: JobHandler, controller: AbortController, why: () => Abort | undefined): Promise<void> {
    const { scope, id, kind, epoch, attempts, lane } = row;
    const logged = { job: id, kind, attempt: attempts };
    const lose = () => controller.abort(new JobAborted('lost'));
    let current = row;
    const counts = (counted: number) => (current = { ...row, attempts: counted });
    let outcome: Outcome;
    if (row.isCancelled === 1) outcome = { state: 'cancelled' };
    // Counts claims, so that a job that kills its process every time ends too.
    else if (handler.schedule === undefined && attempts > handler.attempts)
      outcome = { state: 'dead', reason: 'its process ended each time' };
    else {
      const [sort = kind] = kind.split(localMark);
      const own = { 'sheaf.job.id': id, 'sheaf.job.attempt': attempts };
      // Of no other trace: the request or the job that woke the runner need not be the one that has enqueued this job.
      const span = tracing?.begin({ subject: 'job', name: `job ${sort}`, facts: { 'sheaf.job.kind': sort }, own, isRoot: true });
      const run = () => handler.run(contextOf(row, controller.signal, lose, counts));
      try {
        outcome = success(row, handler, await (span ? span.within(run) : run()));
      } catch (error) {
        const cause = why();
        if (cause === 'cancelled') outcome = { state: 'cancelled' };
        else if (cause === 'stopping') outcome = { state: 'returned' };
        else {
          outcome = failure(current, handler, error);
          if (cause !== 'lost')
            log.error(
              { ...logged, ...(span && { traceId: span.traceId }), err: error, ...(outcome.state === 'ready' && { wait: outcome.wait }) },
              'a job failed',
            );
        }
      }
      const result = why() === 'lost' ? 'lost' : resultOf(outcome);
      span?.end({ facts: { 'sheaf.outcome': result }, hasFailed: result === 'failed' || result === 'dead' });
    }
    if (why() === 'lost') {
      counted(kind, 'lost');
      log.warn(logged, 'another worker has taken over a job');
      return;
    }
    if (outcome.state === 'dead' || outcome.state === 'cancelled') await died(row);
    counted(kind, resultOf(outcome));
    await endings.end({ claim: { scope, id, epoch }, lane, outcome });
    await onEnd(row);
  }

  return {
    /** Tells callers that wait for a job that it has failed for good. */
    died,

    begin(row: JobRow): Run {
      const handler = handlers.get(row.kind);
      if (!handler) throw new Error(`no handler for ${row.kind}`);
      const controller = new AbortController();
      const why = () => (controller.signal.reason as JobAborted | undefined)?.why;
      return {
        row,
        ended: attempt(row, handler, controller, why),
        abort: (reason) => controller.abort(new JobAborted(reason)),
      };
    },
  };
}
