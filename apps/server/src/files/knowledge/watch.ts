/** Thrown where work on a link has ended because its owner or the operator has switched it off, or it cannot be used any more. */
export class SwitchedOff extends Error {
  override readonly name = 'SwitchedOff';
  constructor() {
    super('the link is no longer looked into');
  }
}

/** Milliseconds between two looks whether another instance has switched a link off. */
const lookEvery = 1000;

export type Watch = ReturnType<typeof createWatch>;

/** Ends running work on links that are switched off: at once in this process, within a second from another one. */
export function createWatch(mayLook: (linkId: string) => Promise<boolean>) {
  const running = new Map<string, Set<AbortController>>();

  return {
    /** Runs the work with a signal that also aborts when the link is switched off; then rejects with {@link SwitchedOff}. */
    async run<T>(linkId: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const end = new AbortController();
      const ofLink = running.get(linkId) ?? new Set();
      running.set(linkId, ofLink.add(end));
      const timer = setInterval(() => {
        mayLook(linkId).then(
          (may) => may || end.abort(new SwitchedOff()),
          // Unknown: the next look tells.
          () => undefined,
        );
      }, lookEvery).unref();
      try {
        return await work(AbortSignal.any([signal, end.signal]));
      } catch (error) {
        throw end.signal.aborted && !signal.aborted ? new SwitchedOff() : error;
      } finally {
        clearInterval(timer);
        ofLink.delete(end);
        if (ofLink.size === 0) running.delete(linkId);
      }
    },

    /** Whether something runs for the link in this process. */
    isAtWork: (linkId: string): boolean => running.has(linkId),

    /** Ends what runs for the link in this process. */
    stop(linkId: string): void {
      for (const end of running.get(linkId) ?? []) end.abort(new SwitchedOff());
    },
  };
}
