import { type Heard, hearing } from '../core/answer-id.ts';
import { ConnectorError, type ConnectorErrorKind } from '../core/error.ts';
import type { Operation } from '../core/operations.ts';
import { follow } from './follow.ts';
import type { Layer } from './layered.ts';

/** One finished call. Contains no path: file names are private and do not belong in a log. */
export interface Trace {
  readonly operation: Operation;
  /** Milliseconds from the call to the end of its answer, including the wait for a connection and retries. */
  readonly milliseconds: number;
  readonly outcome: 'ok' | 'failed' | ConnectorErrorKind;
  /** The service's id of the refused request, or else of the last one; absent where it assigns none. */
  readonly serviceRequestId?: string;
}

const outcomeOf = (failure: unknown): Trace['outcome'] =>
  failure === undefined ? 'ok' : failure instanceof ConnectorError ? failure.kind : 'failed';

/** Reports the beginning and the end of every call, and stores the service's id of a refused request in its error. */
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
