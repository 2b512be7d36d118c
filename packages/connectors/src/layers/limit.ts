import { ConnectorError } from '../core/error.ts';
import { follow } from './follow.ts';
import type { Layer } from './layered.ts';

interface Options {
  /** How long a call may wait for its turn, in ms. */
  readonly maxWait?: number;
}

/**
 * Lets `permits` calls be under way at once, the others wait their turn in the order they came; a wait ends with the caller's signal, or after `maxWait` with
 * `rateLimited`. A listing keeps its permit to its last batch and a body until it is drained or cancelled, so whoever holds one must not wait for another call of the same link.
 */
export function limit(permits: number, { maxWait = 60_000 }: Options = {}): Layer {
  let free = permits;
  const waiting = new Set<() => void>();

  function release(): void {
    const [first] = waiting;
    if (!first) free++;
    else first();
  }

  function acquire(signal: AbortSignal): Promise<void> | undefined {
    if (free > 0) {
      free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        waiting.delete(enter);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(new ConnectorError('aborted', 'given up while waiting for a connection'));
      };
      const timer = setTimeout(() => {
        leave();
        reject(new ConnectorError('rateLimited', `all ${permits} connections of the link stayed busy`));
      }, maxWait);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(enter);
    });
  }

  return async ({ signal }, next) => {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up before it began');
    await acquire(signal);
    try {
      return follow(await next(signal), { ended: release });
    } catch (error) {
      release();
      throw error;
    }
  };
}
