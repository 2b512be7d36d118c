import { hearing } from '../core/answer-id.ts';
import { ConnectorError, type ConnectorErrorKind } from '../core/error.ts';
import type { Operation } from '../core/operations.ts';
import { follow } from './follow.ts';
import type { Layer } from './layered.ts';

/** One finished call. Holds no path: names of files are nobody's business in a log. */
export interface Trace {
  readonly operation: Operation;
  /** ms from the call to the end of its answer, the wait for a connection and further tries included. */
  readonly milliseconds: number;
  readonly outcome: 'ok' | 'failed' | ConnectorErrorKind;
}

const outcomeOf = (failure: unknown): Trace['outcome'] =>
  failure === undefined ? 'ok' : failure instanceof ConnectorError ? failure.kind : 'failed';

/** Tells of every finished call, and writes the service's own id of a refused request into its error. */
export function trace(tell: (trace: Trace) => void): Layer {
  return async ({ operation, signal }, next) => {
    const begun = performance.now();
    const ended = (failure?: unknown) => tell({ operation, milliseconds: performance.now() - begun, outcome: outcomeOf(failure) });
    try {
      return follow(await hearing(() => next(signal)), { ended });
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}
