import type { Reply } from './reply.ts';

/** One way to misbehave. */
export type Fault =
  /** Answers this instead of doing the work. */
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Refuses in the provider's words for "too many requests". Seconds. */
  | { readonly kind: 'rateLimit'; readonly retryAfter: number }
  /** Does nothing for this long, then goes on as usual. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Does nothing until this has come, then goes on as usual. */
  | { readonly kind: 'held'; readonly until: Promise<unknown> }
  /** Takes the request and never answers, or stops for ever inside the body of the answer. */
  | { readonly kind: 'hang'; readonly afterBytes?: number }
  /** Breaks the connection once this much of the answer's body was sent. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Breaks the connection once this much of the request's body has come. */
  | { readonly kind: 'cutUpload'; readonly afterBytes: number }
  /** Does the work and breaks the connection instead of telling. */
  | { readonly kind: 'lost' }
  /** Flips the bits of one byte of the answer's body. */
  | { readonly kind: 'corrupt'; readonly at: number }
  /** Sends a body that is this much longer, or shorter when negative, than the content is; as HTTP the answer is whole. */
  | { readonly kind: 'lieAboutSize'; readonly by: number };

/** An operation's key (`GET /files/{id}`), or a pattern over `METHOD /path?query` as sent. */
export type FaultMatch = string | RegExp;

export interface PlannedFault {
  /** How often it has struck. */
  readonly struck: number;
  cancel(): void;
}

export interface Faults {
  /** The next `times` requests that match meet the fault. Of several plans the oldest comes first. */
  next(match: FaultMatch, times: number, fault: Fault): PlannedFault;
  clear(): void;
}

/** Keeps what was planned; `take` gives the fault that a request meets. */
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
