import type { GivenOrgRole, SignInProvider } from '@sheaf/contract';
import { isSameEmail } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Operators } from '#/identity/admission/operators.ts';
import type { LimitStore } from '#/identity/limits/store.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Claims } from './openid.ts';

/** A person who signs in, with the provider's claims. */
interface SignedIn {
  readonly account: AccountRow;
  readonly provider: SignInProvider;
  readonly title: string;
  readonly claims: Claims;
}

/** Applies the claims of one of the operator's own providers. */
export type Follow = (signedIn: SignedIn) => Promise<void>;

/** Applies the roles in organisations that a provider claims; returns the organisations that do not exist. */
export type FollowRoles = (said: {
  readonly account: Pick<AccountRow, 'id' | 'name' | 'email'>;
  readonly provider: string;
  readonly title: string;
  readonly roles: ReadonlyMap<string, GivenOrgRole | undefined>;
  /** The account's address, if the provider has verified it. */
  readonly provenEmail: string | undefined;
}) => Promise<readonly string[]>;

interface Deps {
  readonly operators: Pick<Operators, 'follow'>;
  readonly limits: Pick<LimitStore, 'follow'>;
  readonly accounts: Pick<Accounts, 'followProvider'>;
  readonly followRoles: FollowRoles;
  /** Takes over the picture at that address; without one, removes it. */
  readonly followPicture: (accountId: string, address: string) => void;
  readonly now: Clock;
  /** The settings name an organisation that does not exist. */
  readonly onAbsent: (orgId: string, provider: string) => void;
}

/** Brings an account to the provider's claims at each sign-in: operator, limits, roles in organisations, name and picture. */
export const createFollowing =
  ({ operators, limits, accounts, followRoles, followPicture, now, onAbsent }: Deps): Follow =>
  async ({ account, provider, title, claims: { issuer, subject, followed, email, emailVerified } }) => {
    const { isOperator, roles, limits: said, name, picture } = followed;
    if (isOperator !== undefined) await operators.follow(account, { provider, title, isOperator });
    if (said !== undefined)
      await limits.follow(account.id, provider, said, {
        at: now(),
        actorId: title,
        action: 'limits.set',
        subjectId: account.id,
        subject: account.email,
      });
    if (picture !== undefined) followPicture(account.id, picture);
    const known = { ...account, name: await accounts.followProvider(account, { issuer, subject, name }) };
    const isProven = emailVerified && isSameEmail(email, account.emailKey);
    for (const orgId of await followRoles({
      account: known,
      provider,
      title,
      roles,
      provenEmail: isProven ? account.emailKey : undefined,
    }))
      onAbsent(orgId, provider);
  };
