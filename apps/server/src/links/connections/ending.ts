import { type Layer, createLifeline, follow } from '@sheaf/connectors';

/** Ends the calls under way, listings and bodies included, when `end` fires; what is thrown by a call is then what `told` makes of it. */
export const endingWith =
  (end: AbortSignal, told: (error: unknown) => Promise<unknown>): Layer =>
  async (call, next) => {
    const lifeline = createLifeline(call.signal, end);
    try {
      return follow(await next(lifeline.signal), { ended: lifeline.release });
    } catch (error) {
      lifeline.release();
      throw end.aborted ? await told(error) : error;
    }
  };
