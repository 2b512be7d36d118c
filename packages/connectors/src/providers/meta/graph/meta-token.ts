import type { Grant } from '../../../core/authorization.ts';
import { ConnectorError } from '../../../core/error.ts';
import { isOutcomeUnknown } from '../../../kit/concurrency/retry-busy.ts';

/**
 * Builds the grant for a token that can be renewed only while it is valid, and not on its first day: the grant expires after half of the
 * token's lifetime, so that a link used once a month stays valid.
 */
export function longGrant(accessToken: string, seconds: number | undefined): Grant {
  return { accessToken, ...(seconds !== undefined && seconds > 0 && { expiresAt: Date.now() + (seconds / 2) * 1000 }) };
}

/** Renews such a grant. While the service is unreachable the old one is kept: half of its lifetime is left. */
export async function renewedOrKept(grant: Grant, renew: () => Promise<Grant>): Promise<Grant> {
  try {
    return await renew();
  } catch (error) {
    if (error instanceof ConnectorError && (error.retryable || isOutcomeUnknown(error))) return grant;
    throw error;
  }
}
