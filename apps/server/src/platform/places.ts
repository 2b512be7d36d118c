import { appError } from '@sheaf/contract';

/** At most `most` places for each account, for what an account may do so many times at once. */
export function createPlaces(most: number) {
  const taken = new Map<string, number>();
  return {
    /** Takes a place; call the returned function once to leave it. Throws TOO_MANY_CALLS when there is none. */
    take(accountId: string): () => void {
      const count = taken.get(accountId) ?? 0;
      if (count >= most) throw appError('TOO_MANY_CALLS', {});
      taken.set(accountId, count + 1);
      return () => {
        const left = (taken.get(accountId) ?? 1) - 1;
        if (left === 0) taken.delete(accountId);
        else taken.set(accountId, left);
      };
    },
  };
}
