const heardByWhoeverWaits = (): void => undefined;

/** A promise that is waited for later, perhaps by nobody: then its failure is no failure of the process. Whoever waits hears of it. */
export function waitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(heardByWhoeverWaits);
  return promise;
}
