import { follow } from './follow.ts';
import type { Layer } from './layered.ts';
import { createLifeline } from './lifeline.ts';

/**
 * Aborts everything that a call has left running once the call is over, whatever its outcome: a connector's requests use the call's signal,
 * so an unread answer, a data connection or a parallel request ends with it. Must be the innermost layer, so that each attempt has its own
 * signal.
 */
export function conclude(): Layer {
  return async ({ signal }, next) => {
    const lifeline = createLifeline(signal);
    const end = () => {
      lifeline.release();
      lifeline.abort();
    };
    try {
      return follow(await next(lifeline.signal), { ended: end });
    } catch (error) {
      end();
      throw error;
    }
  };
}
