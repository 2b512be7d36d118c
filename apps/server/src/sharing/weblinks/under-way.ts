import { appError, limits } from '@sheaf/contract';

/** Runs the work of a network's call as long as it has not too many under way; rejects with TOO_MANY_CALLS otherwise. */
export function createUnderWay(most: number = limits.strangersCalls) {
  const counts = new Map<string, number>();
  return async <T>(network: string, work: () => Promise<T>): Promise<T> => {
    const count = counts.get(network) ?? 0;
    if (count >= most) throw appError('TOO_MANY_CALLS', {});
    counts.set(network, count + 1);
    try {
      return await work();
    } finally {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    }
  };
}
