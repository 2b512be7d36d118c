/** How many requests may come within how many milliseconds. */
export interface Limit {
  readonly requests: number;
  readonly perMs: number;
}

/** A sliding window over the times of requests; without a limit everything passes. */
export function createLimiter() {
  let limit: Limit | undefined;
  let times: number[] = [];
  return {
    set(next: Limit | undefined): void {
      limit = next;
      times = [];
    },
    /** Counts a request in, or gives the whole seconds after which it may come again. */
    admit(): number | undefined {
      if (!limit) return undefined;
      const now = performance.now();
      const { requests, perMs } = limit;
      times = times.filter((time) => time > now - perMs);
      const [oldest = now] = times;
      if (times.length >= requests) return Math.max(1, Math.ceil((oldest + perMs - now) / 1000));
      times.push(now);
      return undefined;
    },
  };
}
