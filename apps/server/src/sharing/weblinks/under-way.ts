import { appError, limits } from '@sheaf/contract';

/** Limits the concurrent calls of a network; rejects with TOO_MANY_CALLS above `most`. */
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
