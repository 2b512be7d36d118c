const heardByWhoeverWaits = (): void => undefined;

/** Prevents an unhandled rejection while nobody awaits this promise yet; a later caller still gets its failure. */
export function markHandled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(heardByWhoeverWaits);
  return promise;
}
