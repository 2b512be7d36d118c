interface End {
  readonly accountId: string;
  readonly controller: AbortController;
}

/** Most passwords whose end is followed; evicts the oldest. */
const mostFollowed = 10_000;

/** Signals that end what is under way with an app password. */
export function createEnds() {
  const ends = new Map<string, End>();
  return {
    /** Aborts when the password ends. */
    signalOf(id: string, accountId: string): AbortSignal {
      const known = ends.get(id);
      if (known) return known.controller.signal;
      const [oldest] = ends.keys();
      if (ends.size >= mostFollowed && oldest !== undefined) ends.delete(oldest);
      const controller = new AbortController();
      ends.set(id, { accountId, controller });
      return controller.signal;
    },
    /** Ids of the account's passwords, or of all, that are followed. */
    ids: (accountId?: string): string[] =>
      [...ends].filter(([, one]) => accountId === undefined || one.accountId === accountId).map(([id]) => id),
    end(id: string): void {
      ends.get(id)?.controller.abort();
      ends.delete(id);
    },
  };
}
