import { type Layer, createLifeline, follow } from '@sheaf/connectors';

/** Ends the calls under way, listings and bodies included, when `end` fires. */
export const endingWith =
  (end: AbortSignal): Layer =>
  async (call, next) => {
    const lifeline = createLifeline(call.signal, end);
    try {
      return follow(await next(lifeline.signal), { ended: lifeline.release });
    } catch (error) {
      lifeline.release();
      throw error;
    }
  };
