import { type Layer, createLifeline, follow } from '@sheaf/connectors';

/** Aborts running calls, listings and bodies when `end` aborts; their errors are then mapped by `told`. */
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
