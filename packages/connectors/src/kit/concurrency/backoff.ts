import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError } from '../../core/error.ts';

/** The rule for waits between attempts: they double from attempt to attempt. */
export interface Backoff {
  /** Milliseconds before the second attempt. */
  readonly first: number;
  /** Maximum wait in ms, unless the service asks for a longer one. */
  readonly most?: number;
  /** Range of a random factor, so that callers that failed together do not retry together. */
  readonly spread?: readonly [number, number];
}

/** Returns the wait in ms after that attempt (1 is the first): at least as long as the service asked. */
export function waitAfter(attempt: number, { first, most = Infinity, spread = [1, 1] }: Backoff, asked = 0, random = Math.random): number {
  const [low, high] = spread;
  const own = Math.min(most, first * 2 ** Math.min(attempt - 1, 30));
  return Math.max(own * (low + random() * (high - low)), asked);
}

/** Waits for a number of ms; rejects with `aborted` when the signal fires first. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new ConnectorError('aborted', 'given up between two tries', { cause });
  }
}

interface Rule extends Backoff {
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** If the next wait would be longer than this, in ms, the failure is final. */
  readonly longest: number;
  readonly mayRetry: (error: ConnectorError) => boolean;
  readonly wait?: typeof pause;
}

/** Repeats work while the rule allows it; rejects with the last failure. */
export async function retrying<Result>(signal: AbortSignal, rule: Rule, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectorError) || !rule.mayRetry(error) || attempt >= rule.attempts) throw error;
      const wait = waitAfter(attempt, rule, error.retryAfter);
      if (wait > rule.longest) throw error;
      await (rule.wait ?? pause)(wait, signal);
    }
  }
}
