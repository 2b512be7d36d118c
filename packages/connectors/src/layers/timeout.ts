import type { Body } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { type Operation, type OperationDeadlines, factsOf } from '../core/operations.ts';
import { follow } from './follow.ts';
import type { Answer, Batches, Layer, LayerCall } from './layered.ts';
import { createLifeline } from './lifeline.ts';

/**
 * Ends calls that take too long, and listings and bodies that fall silent, with `timeout`; the connector's signal aborts. Place it around
 * the retry layer: the deadline covers all attempts together.
 */
export function timeout(deadlinesOf: (operation: Operation) => OperationDeadlines = factsOf): Layer {
  return async (call, next) => {
    const lifeline = createLifeline(call.signal);
    const { silence } = deadlinesOf(call.operation);
    const expired = (milliseconds: number) => {
      lifeline.abort();
      return new ConnectorError('timeout', `no answer to ${call.operation} within ${milliseconds} ms`);
    };
    try {
      const result = await arrived(next(lifeline.signal), limitsOf(call, deadlinesOf(call.operation)), call, expired);
      const watched = silence === undefined ? result : withoutSilence(result, silence, () => expired(silence));
      return follow(watched, { ended: () => lifeline.release() });
    } catch (error) {
      lifeline.release();
      throw error;
    }
  };
}

/** Remaining time of the call in ms. */
interface Limits {
  readonly begin: number | undefined;
  /** Counted from the end of the body. */
  readonly finish: number | undefined;
}

/** A transfer may wait long for a permit; for any other call the wait since it was made counts. */
function limitsOf({ operation, begunAt }: LayerCall, { begin, upload }: OperationDeadlines): Limits {
  if (upload) return upload;
  const waited = factsOf(operation).isTransfer ? 0 : performance.now() - begunAt;
  return { begin: begin === undefined ? undefined : Math.max(0, begin - waited), finish: undefined };
}

/** Waits for the answer no longer than allowed; releases one that comes too late. */
function arrived(coming: Promise<Answer>, { begin, finish }: Limits, { body }: LayerCall, expired: (ms: number) => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    let late = false;
    let isFinishing = false;
    const within = (ms: number, isOver: () => boolean) => {
      const stop = () => {
        if (isOver()) return;
        late = true;
        timers.forEach(clearTimeout);
        reject(expired(ms));
      };
      timers.push(setTimeout(stop, ms));
    };
    const startFinish = () => {
      if (isFinishing || finish === undefined) return;
      isFinishing = true;
      within(finish, () => false);
    };
    // Reading has begun, even if the body's own source is slow to deliver a byte.
    const isTaken = () => body !== undefined && (isFinishing || body.readableDidRead || body.readableFlowing !== null);
    if (begin !== undefined) within(begin, isTaken);
    if (body?.readableEnded || body?.destroyed) startFinish();
    else body?.once('end', startFinish).once('close', startFinish);
    coming
      .then((answer) => (late ? letGo(answer) : resolve(answer)), reject)
      .finally(() => {
        body?.off('end', startFinish).off('close', startFinish);
        timers.forEach(clearTimeout);
      })
      .catch(reject);
  });
}

async function letGo(answer: Answer): Promise<void> {
  if (answer.shape === 'body') answer.body.cancel();
  if (answer.shape === 'batches' || answer.shape === 'finds') await answer.batches.close();
}

function withoutSilence(answer: Answer, silence: number, silent: () => Error): Answer {
  if (answer.shape === 'batches') return { shape: 'batches', batches: promptBatches(answer.batches, silence, silent) };
  if (answer.shape === 'finds') return { shape: 'finds', batches: promptBatches(answer.batches, silence, silent) };
  if (answer.shape === 'body') return { shape: 'body', body: promptBody(answer.body, silence, silent) };
  return answer;
}

function promptBatches<Row>(batches: Batches<Row>, silence: number, silent: () => Error): Batches<Row> {
  let hangs = false;
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          hangs = true;
          reject(silent());
        }, silence);
        batches
          .next()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),
    // Closing a listing that hangs would hang as well; the signal has already stopped it.
    close: () => (hangs ? Promise.resolve() : batches.close()),
  };
}

function promptBody(body: Body, silence: number, silent: () => Error): Body {
  return {
    ...(body.size !== undefined && { size: body.size }),
    entry: body.entry,
    cancel: () => body.cancel(),
    drain: (take) =>
      new Promise((resolve, reject) => {
        let lent = 0;
        const timer = setTimeout(() => {
          if (lent > 0) return void timer.refresh();
          reject(silent());
          body.cancel();
        }, silence);
        body
          .drain((chunk) => {
            const taken = take(chunk);
            timer.refresh();
            if (!taken) return undefined;
            lent++;
            return taken.finally(() => {
              lent--;
              timer.refresh();
            });
          })
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),
  };
}
