import { type Accounts, providerTitle } from '#/identity/account/service.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Alerts } from '#/identity/letters/alerts.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Device, Sessions } from '#/identity/sessions/sessions.ts';

interface Deps {
  readonly accounts: Pick<Accounts, 'partAll'>;
  readonly factors: Pick<SecondFactors, 'removeAll'>;
  readonly sessions: Pick<Sessions, 'endAll'>;
  readonly authCodes: Pick<AuthCodes, 'revokeAll'>;
  /** Marks all links of an account as unclaimed; gives the names of those that were not. */
  readonly links: { markUnclaimed(accountId: string): Promise<string[]> };
  readonly alerts: Alerts;
}

export type TakeOver = ReturnType<typeof createTakeOver>;

/**
 * For whoever has just proven the address of an account where nobody had before, and gets another way in. What opened the account until then may
 * be a stranger's, who has taken the address in advance: all of it ends, passkeys and second steps as well, or the owner of the address would be
 * asked for the stranger's code. The links stay, since they may be the owner's all the same, and say so until their owner has decided.
 */
export function createTakeOver({ accounts, factors, sessions, authCodes, links, alerts }: Deps) {
  return async (accountId: string, device: Device): Promise<void> => {
    for (const provider of await accounts.partAll(accountId))
      alerts.tell(accountId, { kind: 'removed', what: `Signing in with ${providerTitle(provider)}` }, device);
    for (const what of await factors.removeAll(accountId)) alerts.tell(accountId, { kind: 'removed', what }, device);
    await sessions.endAll(accountId);
    await authCodes.revokeAll(accountId);
    const unclaimed = await links.markUnclaimed(accountId);
    if (unclaimed.length > 0) alerts.tell(accountId, { kind: 'linksFound', names: unclaimed }, device);
  };
}
