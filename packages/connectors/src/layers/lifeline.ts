/** A signal that ends with its parents or by itself. */
export interface Lifeline {
  readonly signal: AbortSignal;
  abort(): void;
  /** Lets go of the parents; the signal stays as it is. */
  release(): void;
}

/** Ties a new signal to the parents. Released at the end of a call, it leaves no listener on a parent that lives on. */
export function createLifeline(...parents: readonly AbortSignal[]): Lifeline {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const parent of parents) {
    if (parent.aborted) abort();
    else parent.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    abort,
    release: () => parents.forEach((parent) => parent.removeEventListener('abort', abort)),
  };
}
