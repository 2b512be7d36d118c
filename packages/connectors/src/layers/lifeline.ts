/** A signal that aborts with its parents or by itself. */
export interface Lifeline {
  readonly signal: AbortSignal;
  abort(): void;
  /** Detaches the signal from its parents; its state stays as it is. */
  release(): void;
}

/** The reason of every abort: the default one is created for each with its stack, and most calls end with an abort that nobody hears. */
const over = new DOMException('This operation was aborted', 'AbortError');

/** Creates a signal that follows its parents. Release it at the end of a call: it then leaves no listener on a parent that lives longer. */
export function createLifeline(...parents: readonly AbortSignal[]): Lifeline {
  const controller = new AbortController();
  const abort = () => controller.abort(over);
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
