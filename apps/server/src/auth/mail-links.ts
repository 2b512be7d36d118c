import { appError } from '@sheaf/contract';
import type { Accounts } from '#/account/service.ts';
import type { AccountRow } from '#/account/store.ts';
import type { Clock } from '#/clock.ts';
import { addressChangedLetter, resetLetter, verifyLetter } from '#/mail/letters.ts';
import type { Mailer } from '#/mail/mailer.ts';
import type { MailPurpose, MailTokenStore } from './mail-token-store.ts';
import { hashToken, newToken } from './tokens.ts';

/** Seconds for which a mailed link works. */
const validFor: Readonly<Record<MailPurpose, number>> = { verify: 7 * 86_400, reset: 3600 };
const pages: Readonly<Record<MailPurpose, string>> = { verify: '/account/verifyemail', reset: '/login/reset' };

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
  async function mailLink(purpose: MailPurpose, account: AccountRow): Promise<void> {
    const token = newToken();
    await store.replace({
      tokenHash: hashToken(token),
      purpose,
      accountId: account.id,
      email: account.email,
      expiresAt: now() + validFor[purpose],
    });
    // In the hash, because what stands there is never sent to a server: not into its log, and not to other sites as the referrer.
    const link = `${publicUrl}${pages[purpose]}#token=${token}`;
    await mailer.send({ to: account.email, ...(purpose === 'verify' ? verifyLetter : resetLetter)(account.name, link) });
  }

  return {
    mailVerification: (account: AccountRow) => mailLink('verify', account),
    mailReset: (account: AccountRow) => mailLink('reset', account),

    /** What was mailed to set a new password no longer does. */
    endResets: (accountId: string) => store.remove(accountId, 'reset'),

    /** What was mailed to an address that the account no longer has does nothing any more. */
    endAll: (accountId: string) => store.removeAll(accountId),
    tellAddressChanged: (formerEmail: string, { name }: AccountRow): Promise<void> =>
      mailer.send({ to: formerEmail, ...addressChangedLetter(name) }),

    /**
     * Spends a token: whoever has it reads the account's mail, so the address is proven. Throws TOKEN_SPENT for one that is unknown, used, too
     * old, or was mailed to an address the account no longer has.
     */
    async spend(purpose: MailPurpose, token: string): Promise<AccountRow> {
      const row = await store.take(hashToken(token), purpose, now());
      const account = row && (await accounts.get(row.accountId));
      if (!account || account.email !== row.email) throw appError('TOKEN_SPENT', {});
      if (account.verifiedAt === null && !(await accounts.markVerified(account))) throw appError('TOKEN_SPENT', {});
      return account;
    },
  };
}
