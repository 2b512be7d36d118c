interface End {
  readonly accountId: string;
  readonly controller: AbortController;
  timer: NodeJS.Timeout | undefined;
}

/** Most passwords whose ends are followed; beyond it, work with those that were looked up first is ended. */
const usuallyMost = 10_000;
/** Longest timer of Node in milliseconds; a password that expires later gets another one. */
const longestTimer = 2 ** 31 - 1;

/** Signals that abort work with an app password when it is revoked or expires. `now` is in epoch seconds. */
export function createEnds(now: () => number, most = usuallyMost) {
  const ends = new Map<string, End>();

  function end(id: string): void {
    const one = ends.get(id);
    if (!one) return;
    ends.delete(id);
    clearTimeout(one.timer);
    one.controller.abort();
  }

  /** Aborts when the password expires. A clock that was set back only delays that. */
  function follow(id: string, expiresAt: number): void {
    const one = ends.get(id);
    const left = (expiresAt - now()) * 1000;
    if (left <= 0) end(id);
    else if (one) one.timer = setTimeout(() => follow(id, expiresAt), Math.min(left, longestTimer)).unref();
  }

  return {
    /** Aborts when the password ends; `expiresAt` in epoch seconds, null for never. */
    signalOf(id: string, accountId: string, expiresAt: number | null): AbortSignal {
      const known = ends.get(id);
      if (known) return known.controller.signal;
      // Work must not outlive its password, which is no longer followed: the program has to sign in again.
      const [oldest] = ends.keys();
      if (ends.size >= most && oldest !== undefined) end(oldest);
      const controller = new AbortController();
      ends.set(id, { accountId, controller, timer: undefined });
      if (expiresAt !== null) follow(id, expiresAt);
      return controller.signal;
    },
    /** Ids of the account's passwords, or of all, that are followed. */
    ids: (accountId?: string): string[] =>
      [...ends].filter(([, one]) => accountId === undefined || one.accountId === accountId).map(([id]) => id),
    end,
  };
}
