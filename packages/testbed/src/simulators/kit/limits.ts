/** Requests allowed per number of milliseconds. */
export interface Limit {
  readonly requests: number;
  readonly perMs: number;
}

/** A sliding-window rate limiter; allows everything without a limit. */
export function createLimiter() {
  let limit: Limit | undefined;
  let times: number[] = [];
  return {
    set(next: Limit | undefined): void {
      limit = next;
      times = [];
    },
    /** Counts a request, or returns the whole seconds until a retry is allowed. */
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
