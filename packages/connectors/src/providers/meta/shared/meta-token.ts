import type { Grant } from '../../../core/authorization.ts';
import { ConnectorError } from '../../../core/error.ts';
import { isUnclear } from '../../../kit/concurrency/patience.ts';

/**
 * A grant of a token that can only be renewed while it is good, and not on its first day: it counts as at its end when half of its time is over, so that a link
 * that is used once a month never ends.
 */
export function longGrant(accessToken: string, seconds: number | undefined): Grant {
  return { accessToken, ...(seconds !== undefined && seconds > 0 && { expiresAt: Date.now() + (seconds / 2) * 1000 }) };
}

/** Renews such a grant. While the service cannot be reached the old one goes on: it has half of its time left. */
export async function renewedOrKept(grant: Grant, renew: () => Promise<Grant>): Promise<Grant> {
  try {
    return await renew();
  } catch (error) {
    if (error instanceof ConnectorError && (error.retryable || isUnclear(error))) return grant;
    throw error;
  }
}
