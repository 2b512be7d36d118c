import type { Accounts } from '#/identity/account/service.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Device, Sessions } from '#/identity/sessions/sessions.ts';

interface Deps {
  readonly accounts: Pick<Accounts, 'partAll' | 'providerTitle'>;
  readonly factors: Pick<SecondFactors, 'removeAll'>;
  readonly sessions: Pick<Sessions, 'endAll'>;
  readonly authCodes: Pick<AuthCodes, 'revokeAll'>;
  /** Marks all links of an account as unclaimed; returns the names of those newly marked. */
  readonly links: { markUnclaimed(accountId: string): Promise<string[]> };
  readonly alerts: Alerts;
}

export type ClaimAddress = ReturnType<typeof createClaimAddress>;

/**
 * Called when somebody verifies an address that was never verified and gets another way to sign in. The account may have been created by a stranger
 * who registered the address in advance: all its ways to sign in end, including passkeys and second factors, or the owner would be asked for the
 * stranger's code. Links stay, because they may be the owner's, but are marked until the owner decides.
 */
export function createClaimAddress({ accounts, factors, sessions, authCodes, links, alerts }: Deps) {
  return async (accountId: string, device: Device): Promise<void> => {
    for (const provider of await accounts.partAll(accountId))
      alerts.tell(accountId, { kind: 'removed', what: `Signing in with ${accounts.providerTitle(provider)}` }, device);
    for (const what of await factors.removeAll(accountId)) alerts.tell(accountId, { kind: 'removed', what }, device);
    await sessions.endAll(accountId);
    await authCodes.revokeAll(accountId);
    const unclaimed = await links.markUnclaimed(accountId);
    if (unclaimed.length > 0) alerts.tell(accountId, { kind: 'linksFound', names: unclaimed }, device);
  };
}
