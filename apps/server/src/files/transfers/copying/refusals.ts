/** Refusals in a row after which a pair of links is left alone. */
const mostInARow = 3;
/** Milliseconds until it is asked again. */
const restFor = 600_000;
/** Most pairs that are remembered. */
const mostPairs = 1000;

interface Pair {
  readonly inARow: number;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

/**
 * Remembers pairs of links whose service does not copy between them, because asking costs a request for each file. A single file may be refused for reasons
 * of its own, so only several refusals in a row concern the pair, and for a while only: rights at the service change.
 */
export function createRefusals(now: () => number = () => performance.now()) {
  const pairs = new Map<string, Pair>();
  return {
    /** Whether the service should not be asked now. */
    has(pair: string): boolean {
      const known = pairs.get(pair);
      return known !== undefined && known.inARow >= mostInARow && now() - known.at < restFor;
    },
    refused(pair: string): void {
      const inARow = (pairs.get(pair)?.inARow ?? 0) + 1;
      if (pairs.size >= mostPairs) pairs.clear();
      pairs.set(pair, { inARow, at: now() });
    },
    copied(pair: string): void {
      pairs.delete(pair);
    },
  };
}
