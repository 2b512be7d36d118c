import { type Heard, hearing } from '../core/answer-id.ts';
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
  /** The service's own id of the request that it refused, or of the last one; where it names requests. */
  readonly serviceRequestId?: string;
}

const outcomeOf = (failure: unknown): Trace['outcome'] =>
  failure === undefined ? 'ok' : failure instanceof ConnectorError ? failure.kind : 'failed';

/** Tells of every call, first that it has begun and then how it ended, and writes the service's own id of a refused request into its error. */
export function trace(begin: (operation: Operation) => (trace: Trace) => void): Layer {
  return async ({ operation, signal }, next) => {
    const tell = begin(operation);
    const begun = performance.now();
    const heard: Heard = {};
    const ended = (failure?: unknown) => {
      const id = failure === undefined ? heard.last : heard.refused;
      const facts = { operation, milliseconds: performance.now() - begun, outcome: outcomeOf(failure) };
      tell({ ...facts, ...(id !== undefined && { serviceRequestId: id }) });
    };
    try {
      return follow(await hearing(heard, () => next(signal)), { ended, around: (work) => hearing(heard, work) });
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}
