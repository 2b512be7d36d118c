import { appError } from '@sheaf/contract';

/** Share of one reading in its user's budget. */
export interface Share {
  /** Takes more; throws LISTINGS_BUSY when the user's listings would exceed the budget. */
  take(bytes: number): void;
  /** Releases everything. */
  release(): void;
}

/** Most bytes of one user's incoming listings. */
const usualLimit = 320 * 1024 * 1024;

/** Bounds the memory of one user's incoming listings, across all links and folders. */
export function createBudget(limit = usualLimit) {
  const taken = new Map<string, number>();
  return {
    open(userId: string): Share {
      let own = 0;
      return {
        take(bytes) {
          const all = (taken.get(userId) ?? 0) + bytes;
          if (all > limit) throw appError('LISTINGS_BUSY', {});
          own += bytes;
          taken.set(userId, all);
        },
        release() {
          const left = (taken.get(userId) ?? 0) - own;
          own = 0;
          if (left > 0) taken.set(userId, left);
          else taken.delete(userId);
        },
      };
    },
  };
}
