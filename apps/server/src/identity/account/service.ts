import { type Session, accountPicture, appError } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import { hashToken } from '#/platform/tokens.ts';
import { type EmailAddress, isName, nameFromEmail, readEmail, readName } from './rules.ts';
import type { AccountRow, AccountStore, Entry, IdentityRow, OwnEvent } from './store.ts';

interface Deps {
  readonly store: AccountStore;
  readonly newId: () => string;
  readonly now: Clock;
  /** Premium state for the menu bar. */
  readonly upgradeOf: (accountId: string) => Promise<Pick<Session, 'upgradeState' | 'expirationDays'>>;
  /** The address that waits for confirmation, if any. */
  readonly waitingEmailOf: (accountId: string) => Promise<string | undefined>;
  /** Display name of a sign-in provider. */
  readonly providerTitle: (provider: string) => string;
  /** Whether the provider of an identity is still set up. */
  readonly opens: (identity: IdentityRow) => boolean;
  /** Whether there is a mail server, without which nobody can confirm an address. */
  readonly hasMail: boolean;
  /** Whether the account's password signs in, which the settings may forbid. */
  readonly allowsPassword: (accountId: string) => Promise<boolean>;
}

/** A subject at a sign-in provider (OpenID Connect). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly provider: string;
  readonly email: string;
}

/** What a provider says at a sign-in and the account follows. */
type Followable = Parameters<AccountStore['follow']>[0];

interface NewAccount {
  readonly name: string | undefined;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly verified: boolean;
  /** How it was admitted. */
  readonly entry?: Entry;
}

/** Id of an identity in lists, which does not reveal its subject. */
const identityId = ({ issuer, subject }: IdentityRow): string => hashToken(`${issuer} ${subject}`);

export type Accounts = ReturnType<typeof createAccounts>;

/** Accounts: name, address and whether it is verified. Methods that take an id throw INVALID_SESSION when the account no longer exists. */
export function createAccounts({ store, newId, now, upgradeOf, waitingEmailOf, providerTitle, opens, hasMail, allowsPassword }: Deps) {
  async function get(id: string): Promise<AccountRow> {
    const account = await store.find(id);
    if (!account) throw appError('INVALID_SESSION', {});
    return account;
  }

  const event = (action: OwnEvent['action'], name: string): OwnEvent => ({ action, name, at: now() });
  const signInEvent = (action: 'account.signIn' | 'account.signInRemoved', provider: string): OwnEvent =>
    event(action, providerTitle(provider));

  /**
   * Replaces an unverified address; returns the address when the current one is verified, because the new one must be verified first. Throws
   * EMAIL_TAKEN.
   */
  async function take(id: string, address: EmailAddress): Promise<string | undefined> {
    const outcome = await store.replaceEmail(id, address, event('account.email', address.email));
    if (outcome === 'replaced') return undefined;
    const holder = outcome === 'proven' ? await store.findByEmail(address.emailKey) : undefined;
    if (outcome === 'taken' || (holder && holder.id !== id)) throw appError('EMAIL_TAKEN', {});
    return address.email;
  }

  /** Renames the account if the rules for names allow it. */
  async function nameIfAllowed(account: AccountRow, name: string): Promise<AccountRow> {
    if (!isName(name)) return account;
    await store.update(account.id, { name: readName(name) });
    return get(account.id);
  }

  return {
    /** Display name of a sign-in provider. */
    providerTitle,
    get,
    findByEmail: (typed: string) => store.findByEmail(readEmail(typed).emailKey),
    findByIdentity: (issuer: string, subject: string) => store.findByIdentity(issuer, subject),

    /** Creates an account; throws EMAIL_TAKEN, EMAIL_INVALID, INVALID_NAME, INVITATION_SPENT. */
    async create({ name, email: typed, passwordHash, verified, entry }: NewAccount): Promise<AccountRow> {
      const { email, emailKey } = readEmail(typed);
      const account: AccountRow = {
        id: newId(),
        kind: 'person',
        name: name?.trim() ? readName(name) : nameFromEmail(email),
        email,
        emailKey,
        passwordHash,
        verifiedAt: verified ? now() : null,
        disabledAt: null,
        createdAt: now(),
        closesAt: null,
        closingLease: null,
      };
      const outcome = await store.insert(account, entry);
      if (outcome === 'taken') throw appError('EMAIL_TAKEN', {});
      if (outcome === 'spent') throw appError('INVITATION_SPENT', {});
      return account;
    },

    /** Adds an identity that may sign in to the account; false when it belongs to another one. */
    join: (accountId: string, identity: Identity) =>
      store.addIdentity({ ...identity, accountId, name: null, createdAt: now() }, signInEvent('account.signIn', identity.provider)),

    identities: async (accountId: string) =>
      (await store.identities(accountId)).map((row) => ({
        identityId: identityId(row),
        provider: row.provider,
        title: providerTitle(row.provider),
        email: row.email,
        opens: opens(row),
      })),

    /** Removes an identity; returns its provider, or undefined when there was no such identity. Throws LAST_WAY_IN. */
    async part(accountId: string, id: string): Promise<string | undefined> {
      const row = (await store.identities(accountId)).find((one) => identityId(one) === id);
      if (!row) return undefined;
      const removal = signInEvent('account.signInRemoved', row.provider);
      const isRemoved = await store.removeIdentity(row, removal, await allowsPassword(accountId));
      if (isRemoved === 'lastWayIn') throw appError('LAST_WAY_IN', {});
      return isRemoved ? row.provider : undefined;
    },

    /**
     * Removes all identities; returns their providers. Called when somebody verifies an address that was never verified and gets another way to sign
     * in: the previous ways may belong to a stranger who registered the address in advance.
     */
    partAll: (accountId: string): Promise<string[]> =>
      store.removeIdentities(accountId, (provider) => signInEvent('account.signInRemoved', provider)),

    allowsPassword,
    setPassword: (id: string, passwordHash: string | null) => store.update(id, { passwordHash }, event('account.password', 'the password')),
    /** Returns whether there was one. Throws LAST_WAY_IN. */
    async removePassword(id: string): Promise<boolean> {
      const isRemoved = await store.removePassword(id, event('account.signInRemoved', 'a password'));
      if (isRemoved === 'lastWayIn') throw appError('LAST_WAY_IN', {});
      return isRemoved;
    },
    /** Marks the address as verified; false when the account has another address by now. */
    markVerified: (account: Pick<AccountRow, 'id' | 'email'>): Promise<boolean> => store.markVerified(account, now()),

    nameIfAllowed,

    /**
     * Throws EMAIL_UNPROVEN for an account whose address nobody has confirmed though they could: it must not send mails to strangers or publish
     * anything in the name of an address that may be another person's.
     */
    async requireProven(id: string): Promise<void> {
      const { email, verifiedAt } = await get(id);
      if (hasMail && verifiedAt === null) throw appError('EMAIL_UNPROVEN', { email });
    },

    /** Takes over a name that the provider has changed since the last sign-in, so that one that was changed here stays. Returns the name that holds. */
    async followProvider(account: AccountRow, said: Followable): Promise<string> {
      const before = await store.follow(said);
      // The first sign-in has named the account already, or found one that its owner has named.
      const isNew = before?.name !== undefined && before.name !== null && before.name !== said.name;
      return isNew && said.name ? (await nameIfAllowed(account, said.name)).name : account.name;
    },

    /**
     * Changes what differs; an empty name changes nothing. An unverified address is replaced at once. A verified one stays: `wanted` must be verified
     * first, and is not reserved. With `provenFirst` this holds for every address, and the answer does not reveal whether another account has it.
     * Throws EMAIL_INVALID, INVALID_NAME; without `provenFirst` EMAIL_TAKEN.
     */
    async change(
      id: string,
      newName: string | undefined,
      newEmail: string | undefined,
      provenFirst: boolean,
    ): Promise<{ before: AccountRow; after: AccountRow; wanted?: string }> {
      const before = await get(id);
      const name = newName === undefined || newName.trim() === '' ? before.name : readName(newName);
      const address = newEmail === undefined ? undefined : readEmail(newEmail);
      const differs = address !== undefined && address.email !== before.email;
      const wanted = !differs ? undefined : provenFirst ? address.email : await take(id, address);
      if (name !== before.name) await store.update(id, { name }, event('account.name', name));
      return { before, after: await get(id), ...(wanted !== undefined && { wanted }) };
    },

    /** Sets an address that has just been verified. Throws EMAIL_TAKEN. */
    async moveTo(id: string, email: string): Promise<void> {
      if ((await store.moveEmail(id, readEmail(email), event('account.email', email))) === 'taken') throw appError('EMAIL_TAKEN', {});
    },

    /** Describes the session for the browser. */
    async describe(id: string, rTag: string): Promise<Session> {
      const account = await get(id);
      const pendingEmail = await waitingEmailOf(id);
      const picture = await store.pictureChangedAt(id);
      return {
        loginName: account.name,
        loginAccount: account.email,
        rTag,
        emailVerified: account.verifiedAt !== null,
        ...(pendingEmail !== undefined && { pendingEmail }),
        ...(picture !== undefined && { pictureUrl: `${accountPicture.path}?v=${picture}` }),
        ...(await upgradeOf(id)),
      };
    },
  };
}
