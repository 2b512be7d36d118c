import type { Body, Operation } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { follow } from './follow.ts';
import type { Answer, Batches, Layer, LayerCall } from './layered.ts';
import { createLifeline } from './lifeline.ts';

interface Budgets {
  /** ms until an answer, a listing's first batch or the beginning of a body must be there. */
  readonly answer?: number;
  /**
   * ms for a call that may have a whole folder to work on. For a write, counted from the end of its body: the last parts of it, which were read ahead, go out over a
   * slow line then, and services put large files together. Connectors end what falls silent.
   */
  readonly work?: number;
  /** ms without a further batch or byte. Time in which the taker holds lent chunks does not count. */
  readonly silence?: number;
}

const muchWork: ReadonlySet<Operation> = new Set<Operation>(['rename', 'move', 'copy', 'remove', 'write']);

/** Ends calls that take too long, and listings and bodies that fall silent, with `timeout`; the connector is told by its signal. */
export function timeout({ answer = 60_000, work = 600_000, silence = 60_000 }: Budgets = {}): Layer {
  return async (call, next) => {
    const lifeline = createLifeline(call.signal);
    const stop = (milliseconds: number) => {
      lifeline.abort();
      return new ConnectorError('timeout', `no answer to ${call.operation} within ${milliseconds} ms`, {
        retryable: call.operation !== 'write',
      });
    };
    const silent = () => stop(silence);
    try {
      const milliseconds = muchWork.has(call.operation) ? work : answer;
      const result = await arrived(next(lifeline.signal), milliseconds, call, () => stop(milliseconds));
      return follow(withoutSilence(result, silence, silent), { ended: () => lifeline.release() });
    } catch (error) {
      lifeline.release();
      throw error;
    }
  };
}

/** Waits for the answer no longer than allowed; one that comes too late is let go. */
function arrived(coming: Promise<Answer>, milliseconds: number, call: LayerCall, expired: () => Error): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    const start = () => {
      timer ??= setTimeout(() => {
        late = true;
        reject(expired());
      }, milliseconds);
    };
    const body = call.body;
    if (!body || body.readableEnded || body.destroyed) start();
    else body.once('end', start).once('close', start);
    coming
      .then((answer) => (late ? letGo(answer) : resolve(answer)), reject)
      .finally(() => {
        body?.off('end', start).off('close', start);
        clearTimeout(timer);
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
    // A listing that hangs would also keep its end waiting; its signal has told it to stop.
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
