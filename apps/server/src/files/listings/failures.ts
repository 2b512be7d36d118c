import type { AppError } from '@sheaf/contract';

/** Why a folder could not be read, and when (epoch milliseconds). */
export interface Failure {
  readonly error: AppError;
  readonly at: number;
}

/** Most failures kept; evicts the oldest. */
const kept = 1000;

/** Last failure per folder, so that stored rows can say why they are old. */
export function createFailures(now: () => number) {
  const failures = new Map<string, Failure>();
  return {
    get: (key: string): Failure | undefined => failures.get(key),
    set(key: string, error: AppError): void {
      failures.delete(key);
      failures.set(key, { error, at: now() });
      const [oldest] = failures.keys();
      if (failures.size > kept && oldest !== undefined) failures.delete(oldest);
    },
    clear: (key: string): void => void failures.delete(key),
  };
}
