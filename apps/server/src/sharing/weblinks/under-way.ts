import { createKeyedLimiter } from '@sheaf/connectors';
import { appError, limits } from '@sheaf/contract';

/** Limits the concurrent calls of a network; rejects with TOO_MANY_CALLS above `most`. */
export function createUnderWay(most: number = limits.strangersCalls) {
  const limiter = createKeyedLimiter(most);
  return <T>(network: string, work: () => Promise<T>): Promise<T> => limiter.runNow(network, work, () => appError('TOO_MANY_CALLS', {}));
}
