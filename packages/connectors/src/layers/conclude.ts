import { follow } from './follow.ts';
import type { Layer } from './layered.ts';
import { createLifeline } from './lifeline.ts';

/**
 * Ends whatever of a call is still under way once the call is over, however it ended: a connector's requests carry the call's signal, and an answer that nobody
 * took, a data connection or a question asked beside another one ends with it. To be the innermost layer, so that each try of a call has a signal of its own.
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
