import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError } from '../core/error.ts';
import { type Operation, factsOf } from '../core/operations.ts';
import type { Layer } from './layered.ts';

interface Options {
  /** Tries in all, the first included. */
  readonly attempts?: number;
  /** The wait before the second try, in ms; it doubles from try to try, and a random half of it is left out. */
  readonly delay?: number;
  /** A source that asks for a longer wait than this, in ms, is not asked again. */
  readonly maxDelay?: number;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

function mayRepeat(operation: Operation, error: ConnectorError): boolean {
  const { repeat } = factsOf(operation);
  return error.retryable && (repeat === 'always' || (repeat === 'unbegun' && error.kind === 'rateLimited'));
}

/** Waits so many ms; rejects with `aborted` when the signal fires before. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new ConnectorError('aborted', 'given up between two tries', { cause });
  }
};

/** Tries again what the connector marked retryable, until a listing's first batch or a body's beginning is there; honours the wait that the source asks for. */
export function retry({ attempts = 3, delay = 200, maxDelay = 10_000, wait = pause }: Options = {}): Layer {
  return async ({ operation, signal }, next) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await next(signal);
      } catch (error) {
        if (!(error instanceof ConnectorError) || attempt >= attempts || !mayRepeat(operation, error)) throw error;
        const jittered = delay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
        const milliseconds = Math.max(jittered, error.retryAfter ?? 0);
        if (milliseconds > maxDelay) throw error;
        await wait(milliseconds, signal);
      }
    }
  };
}
