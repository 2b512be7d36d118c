interface Options {
  readonly seconds: number;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Most keys kept; evicts the oldest. */
  readonly capacity?: number;
}

/** A cache with expiry. Only an optimisation: a missing value is determined again. */
export function createRecently<Value>({ seconds, now, capacity = 10_000 }: Options) {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>();
  return {
    put(key: string, value: Value): void {
      kept.delete(key);
      kept.set(key, { value, until: now() + seconds });
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
    },
    /** The value, unless it has expired. */
    get(key: string): Value | undefined {
      const found = kept.get(key);
      return found && found.until > now() ? found.value : undefined;
    },
    forget: (key: string): void => void kept.delete(key),
  };
}
