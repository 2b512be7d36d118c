import { AppError, appError } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Throttle } from '#/platform/throttle.ts';

const mostRemembered = 10_000;
const perNetwork = { tries: 300, seconds: 900 };
const perUsername = { tries: 10, seconds: 900 };

/** Counts failed sign-ins of programs by user name and network. */
export function createFailures(throttle: Throttle, now: Clock) {
  /** Keys of the throttle that have reached their limit here, with the end of their window in epoch seconds. */
  const blocked = new Map<string, number>();

  /** Throws TOO_MANY_TRIES after too many failures, without counting another one. */
  function checkBlocked(keys: readonly string[]): void {
    for (const key of keys) {
      const until = blocked.get(key);
      if (until !== undefined && until > now()) throw appError('TOO_MANY_TRIES', { seconds: String(until - now()) });
      blocked.delete(key);
    }
  }

  /** Counts a failure. Throws TOO_MANY_TRIES at the limit. */
  async function count([byNetwork, byName]: readonly [string, string]): Promise<void> {
    for (const [key, allowance] of [[byNetwork, perNetwork] as const, [byName, perUsername] as const])
      try {
        await throttle.count(key, allowance);
      } catch (error) {
        if (error instanceof AppError) {
          if (blocked.size >= mostRemembered) blocked.clear();
          blocked.set(key, now() + Number(error.details['seconds']));
        }
        throw error;
      }
  }

  return {
    /**
     * Counts a failure, and returns what to answer. The right password is never refused for the failures of others: 125 random bits cannot be guessed,
     * and a program with a revoked password that tries again and again would lock out every other program of its network.
     */
    async failureOf(name: string, address: string): Promise<AppError> {
      const network = networkOf(address);
      const keys = [`app password from ${network}`, `app password ${name} from ${network}`] as const;
      checkBlocked(keys);
      await count(keys);
      return appError('INVALID_CREDENTIALS', {});
    },
  };
}
