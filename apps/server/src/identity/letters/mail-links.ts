import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import {
  addressAskedLetter,
  addressChangedLetter,
  addressTakenLetter,
  newAddressLetter,
  resetLetter,
  verifyLetter,
} from '#/platform/mail/letters.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { MailPurpose, MailTokenStore } from './mail-token-store.ts';

/** Seconds for which a mailed link works. */
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

/** Links in mails that prove an address or set a new password. */
export function createMailLinks({ store, mailer, accounts, publicUrl, now }: Deps) {
  /** A new token with its link. The token stands in the hash, which is never sent to a server: not into its log, and not to other sites as the referrer. */
  function newLink(purpose: MailPurpose) {
    const token = newToken();
    const row = { tokenHash: hashToken(token), purpose, expiresAt: now() + validFor[purpose] };
    return { row, link: `${publicUrl}${pages[purpose]}#token=${token}` };
  }

  /** Mails the link to the address that waits; if another account has that address, its owner is told instead. */
  async function mailNewAddress({ id, name }: AccountRow, email: string, link: string): Promise<void> {
    const holder = await accounts.findByEmail(email);
    const mail = holder && holder.id !== id ? addressTakenLetter(holder.name, publicUrl) : newAddressLetter(name, link);
    await mailer.send({ to: email, ...mail });
  }

  async function mailLink(purpose: 'verify' | 'reset', { id, name, email }: AccountRow): Promise<void> {
    const { row, link } = newLink(purpose);
    await store.replace({ ...row, accountId: id, email });
    await mailer.send({ to: email, ...(purpose === 'verify' ? verifyLetter : resetLetter)(name, link) });
  }

  return {
    mailVerification: (account: AccountRow) => mailLink('verify', account),
    mailReset: (account: AccountRow) => mailLink('reset', account),

    /** Lets an address wait to become the account's, in place of one that waited before; gives what mails the link that is waited for. */
    async letWait(account: AccountRow, email: string): Promise<() => Promise<void>> {
      const { row, link } = newLink('change');
      await store.replace({ ...row, accountId: account.id, email });
      return () => mailNewAddress(account, email, link);
    },

    /** Mails another link, which waits anew, to the address that waits; nothing when none does. */
    async mailWaiting(account: AccountRow): Promise<void> {
      const { row, link } = newLink('change');
      const waiting = await store.waiting(account.id, now());
      if (waiting && (await store.renew(waiting.tokenHash, row.tokenHash, row.expiresAt)))
        await mailNewAddress(account, waiting.email, link);
    },

    isWaiting: async (accountId: string): Promise<boolean> => (await store.waiting(accountId, now())) !== undefined,
    /** No address waits any more. */
    endWaiting: (accountId: string) => store.remove(accountId, ['change']),

    /** Whose account the address that this link was mailed to waits for; undefined when it is no such link, or none any more. */
    holderOfWaiting: (token: string): Promise<string | undefined> => store.holder(hashToken(token), 'change', now()),

    /** Spends the link mailed to an address that waits; undefined when it is no such link, or none any more. */
    takeWaiting: (token: string): Promise<{ accountId: string; email: string } | undefined> =>
      store.take(hashToken(token), 'change', now()),

    /**
     * For an account with a new password: what was mailed to set one no longer does, and no address waits, since whoever is out by the new
     * password may have asked for it.
     */
    endForPassword: (accountId: string) => store.remove(accountId, ['reset', 'change']),

    /** What was mailed to an address that the account no longer has does nothing any more. */
    endAll: (accountId: string) => store.removeAll(accountId),
    tellAddressAsked: ({ name, email }: AccountRow, wanted: string): Promise<void> =>
      mailer.send({ to: email, ...addressAskedLetter(name, wanted, `${publicUrl}/account/profile`) }),
    tellAddressChanged: ({ name, email }: AccountRow): Promise<void> => mailer.send({ to: email, ...addressChangedLetter(name) }),

    /**
     * Spends a token: whoever has it reads the account's mail, so the address is proven. Throws TOKEN_SPENT for one that is unknown, used, too
     * old, or was mailed to an address the account no longer has.
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
