import { type ConnectorError, isKind } from '../core/error.ts';
import { type Operation, factsOf } from '../core/operations.ts';
import { pause, retrying } from '../kit/concurrency/backoff.ts';
import type { Layer } from './layered.ts';

interface Options {
  /** Tries in all, the first included. */
  readonly attempts?: number;
  /** The wait before the second try, in ms; it doubles from try to try, and a random half of it is left out. */
  readonly delay?: number;
  /** A source that asks for a longer wait than this, in ms, is not asked again. */
  readonly maxDelay?: number;
  /** Called for each try that the source refuses because it gets too many requests. */
  readonly limited?: () => void;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

function mayRepeat(operation: Operation, error: ConnectorError): boolean {
  const { repeat } = factsOf(operation);
  return error.retryable && (repeat === 'always' || (repeat === 'unbegun' && error.kind === 'rateLimited'));
}

/** Tries again what the connector marked retryable, until a listing's first batch or a body's beginning is there; honours the wait that the source asks for. */
export function retry({ attempts = 3, delay = 200, maxDelay = 10_000, limited, wait = pause }: Options = {}): Layer {
  const rule = { attempts, first: delay, longest: maxDelay, spread: [0.5, 1], wait } as const;
  return ({ operation, signal }, next) =>
    retrying(signal, { ...rule, mayRetry: (error) => mayRepeat(operation, error) }, async () => {
      try {
        return await next(signal);
      } catch (error) {
        // Our own wait for a free connection is no refusal of the source.
        if (limited && isKind(error, 'rateLimited') && error.details['waited'] !== 'connections') limited();
        throw error;
      }
    });
}
