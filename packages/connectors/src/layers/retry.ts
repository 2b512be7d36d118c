import { type ConnectorError, isKind } from '../core/error.ts';
import { type Operation, factsOf } from '../core/operations.ts';
import { pause, retrying } from '../kit/concurrency/backoff.ts';
import type { Layer } from './layered.ts';

interface Options {
  /** Number of attempts, including the first. */
  readonly attempts?: number;
  /** Wait before the second attempt, in ms. It doubles with each attempt; up to half of it is subtracted at random. */
  readonly delay?: number;
  /** A source that requests a longer wait than this, in ms, is not retried. */
  readonly maxDelay?: number;
  /** Called for each attempt that the source refuses because it gets too many requests. */
  readonly limited?: () => void;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

function mayRepeat(operation: Operation, error: ConnectorError): boolean {
  const { repeat } = factsOf(operation);
  return error.retryable && (repeat === 'always' || (repeat === 'unbegun' && error.kind === 'rateLimited'));
}

/**
 * Retries calls whose error the connector marked as retryable, until a listing's first batch or a body's beginning has arrived. Honours the
 * wait that the source requests.
 */
export function retry({ attempts = 3, delay = 200, maxDelay = 10_000, limited, wait = pause }: Options = {}): Layer {
  const rule = { attempts, first: delay, longest: maxDelay, spread: [0.5, 1], wait } as const;
  return ({ operation, signal }, next) =>
    retrying(signal, { ...rule, mayRetry: (error) => mayRepeat(operation, error) }, async () => {
      try {
        return await next(signal);
      } catch (error) {
        // A timeout while waiting for one of our own connections is not a refusal by the source.
        if (limited && isKind(error, 'rateLimited') && error.details['waited'] !== 'connections') limited();
        throw error;
      }
    });
}
