/** Counts failed sign-ins, to limit guesses of passwords. */
export interface Throttle {
  /** Seconds until the next try is allowed; 0 when it is. */
  wait(who: string): number;
  failed(who: string): void;
  succeeded(who: string): void;
}

interface Options {
  /** Failures allowed within the window. */
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Most keys remembered: a client that fails under ever new names evicts the oldest. */
const most = 10_000;

export function createThrottle({ limit, window, now }: Options): Throttle {
  const failures = new Map<string, { readonly count: number; readonly until: number }>();
  const current = (who: string) => {
    const found = failures.get(who);
    return found && found.until > now() ? found : undefined;
  };
  return {
    wait(who) {
      const found = current(who);
      return found && found.count >= limit ? Math.ceil((found.until - now()) / 1000) : 0;
    },
    failed(who) {
      const count = (current(who)?.count ?? 0) + 1;
      failures.delete(who);
      failures.set(who, { count, until: now() + window * 1000 });
      const [oldest] = failures.keys();
      if (failures.size > most && oldest !== undefined) failures.delete(oldest);
    },
    succeeded: (who) => void failures.delete(who),
  };
}
