import type { Reply } from './reply.ts';

/** An injected fault. */
export type Fault =
  /** Sends this response instead of running the operation. */
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Responds with the provider's rate-limit error. Seconds. */
  | { readonly kind: 'rateLimit'; readonly retryAfter: number }
  /** Waits this long, then continues normally. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Waits for this promise, then continues normally. */
  | { readonly kind: 'held'; readonly until: Promise<unknown> }
  /** Never responds, or stops forever within the response body. */
  | { readonly kind: 'hang'; readonly afterBytes?: number }
  /** Breaks the connection after this many bytes of the response body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Breaks the connection after this many bytes of the request body. */
  | { readonly kind: 'cutUpload'; readonly afterBytes: number }
  /** Runs the operation and breaks the connection instead of responding. */
  | { readonly kind: 'lost' }
  /** Inverts one byte of the response body. */
  | { readonly kind: 'corrupt'; readonly at: number }
  /** Sends a body that is this much longer (or shorter when negative) than the content; the HTTP response is complete. */
  | { readonly kind: 'lieAboutSize'; readonly by: number };

/** An operation's key (`GET /files/{id}`), or a pattern over `METHOD /path?query` as sent. */
export type FaultMatch = string | RegExp;

export interface PlannedFault {
  /** Number of times it was applied. */
  readonly struck: number;
  cancel(): void;
}

export interface Faults {
  /** Applies the fault to the next `times` matching requests. Older plans come first. */
  next(match: FaultMatch, times: number, fault: Fault): PlannedFault;
  clear(): void;
}

/** Stores planned faults; `take` returns the fault of a request. */
export function createFaults(): Faults & { take(key: string, line: string): Fault | undefined } {
  const plans = new Set<{ match: FaultMatch; left: number; struck: number; fault: Fault }>();
  return {
    next(match, times, fault) {
      const plan = { match, left: times, struck: 0, fault };
      plans.add(plan);
      return {
        get struck() {
          return plan.struck;
        },
        cancel: () => void plans.delete(plan),
      };
    },
    clear: () => plans.clear(),
    take(key, line) {
      for (const plan of plans) {
        if (typeof plan.match === 'string' ? plan.match !== key : !plan.match.test(line)) continue;
        plan.left -= 1;
        plan.struck += 1;
        if (plan.left <= 0) plans.delete(plan);
        return plan.fault;
      }
      return undefined;
    },
  };
}
