import { appError } from '@sheaf/contract';

/** What one reading has taken of its user's budget. */
export interface Share {
  /** Takes more; throws LISTINGS_BUSY when the user's listings would take more than they may. */
  take(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** Bytes that the rows of one user's listings may take together while they are on their way. */
const usualLimit = 320 * 1024 * 1024;

/** Bounds what the listings of one user take in memory, however many links and folders they are of. */
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
