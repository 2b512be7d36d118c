import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { addressAskedMail, addressChangedMail, addressTakenMail, newAddressMail, resetMail, verifyMail } from '#/platform/mail/mails.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { MailPurpose, MailTokenStore } from './mail-token-store.ts';

/** Seconds for which a mailed link is valid. */
const validFor: Readonly<Record<MailPurpose, number>> = { verify: 7 * 86_400, reset: 3600, change: 7 * 86_400 };
const verifyPage = '/account/verifyemail';
const pages: Readonly<Record<MailPurpose, string>> = { verify: verifyPage, reset: '/login/reset', change: verifyPage };

interface Deps {
  readonly store: MailTokenStore;
  readonly mailer: Mailer;
  readonly accounts: Accounts;
  readonly publicUrl: string;
  readonly now: Clock;
}

export type MailLinks = ReturnType<typeof createMailLinks>;

/** Mailed links that verify an address or set a new password. */
export function createMailLinks({ store, mailer, accounts, publicUrl, now }: Deps) {
  /**
   * Creates a token with its link. The token is in the hash, which browsers never send: neither into server logs nor to other sites as the referrer.
   */
  function newLink(purpose: MailPurpose) {
    const token = newToken();
    const row = { tokenHash: hashToken(token), purpose, expiresAt: now() + validFor[purpose] };
    return { row, link: `${publicUrl}${pages[purpose]}#token=${token}` };
  }

  /** Mails the link to the pending address; if another account has that address, informs its owner instead. */
  async function mailNewAddress({ id, name }: AccountRow, email: string, link: string): Promise<void> {
    const holder = await accounts.findByEmail(email);
    const mail = holder && holder.id !== id ? addressTakenMail(holder.name, publicUrl) : newAddressMail(name, link);
    await mailer.send({ to: email, ...mail });
  }

  async function mailLink(purpose: 'verify' | 'reset', { id, name, email }: AccountRow): Promise<void> {
    const { row, link } = newLink(purpose);
    await store.replace({ ...row, accountId: id, email });
    await mailer.send({ to: email, ...(purpose === 'verify' ? verifyMail : resetMail)(name, link) });
  }

  return {
    mailVerification: (account: AccountRow) => mailLink('verify', account),
    mailReset: (account: AccountRow) => mailLink('reset', account),

    /** Stores a pending address in place of an earlier one; returns a function that mails its link. */
    async letWait(account: AccountRow, email: string): Promise<() => Promise<void>> {
      const { row, link } = newLink('change');
      await store.replace({ ...row, accountId: account.id, email });
      return () => mailNewAddress(account, email, link);
    },

    /** Mails a new link to the pending address, which restarts its time; does nothing without one. */
    async mailWaiting(account: AccountRow): Promise<void> {
      const { row, link } = newLink('change');
      const waiting = await store.waiting(account.id, now());
      if (waiting && (await store.renew(waiting.tokenHash, row.tokenHash, row.expiresAt)))
        await mailNewAddress(account, waiting.email, link);
    },

    isWaiting: async (accountId: string): Promise<boolean> => (await store.waiting(accountId, now())) !== undefined,
    /** Withdraws the pending address. */
    endWaiting: (accountId: string) => store.remove(accountId, ['change']),

    /** The account whose pending address this link was mailed to; undefined for an unknown or expired link. */
    holderOfWaiting: (token: string): Promise<string | undefined> => store.holder(hashToken(token), 'change', now()),

    /** Spends the link mailed to a pending address; undefined for an unknown or expired link. */
    takeWaiting: (token: string): Promise<{ accountId: string; email: string } | undefined> =>
      store.take(hashToken(token), 'change', now()),

    /** After a new password, ends links that set a password and the pending address: somebody who just lost access may have asked for them. */
    endForPassword: (accountId: string) => store.remove(accountId, ['reset', 'change']),

    /** Ends all links mailed to a former address. */
    endAll: (accountId: string) => store.removeAll(accountId),
    tellAddressAsked: ({ name, email }: AccountRow, wanted: string): Promise<void> =>
      mailer.send({ to: email, ...addressAskedMail(name, wanted, `${publicUrl}/account/profile`) }),
    tellAddressChanged: ({ name, email }: AccountRow): Promise<void> => mailer.send({ to: email, ...addressChangedMail(name) }),

    /**
     * Spends a token: its holder reads the account's mail, so the address is verified. Throws TOKEN_SPENT for one that is unknown, used, expired, or
     * was mailed to a former address.
     */
    async spend(purpose: 'verify' | 'reset', token: string): Promise<AccountRow> {
      const row = await store.take(hashToken(token), purpose, now());
      const account = row && (await accounts.get(row.accountId));
      if (!account || account.email !== row.email) throw appError('TOKEN_SPENT', {});
      if (account.verifiedAt === null && !(await accounts.markVerified(account))) throw appError('TOKEN_SPENT', {});
      return account;
    },
  };
}
