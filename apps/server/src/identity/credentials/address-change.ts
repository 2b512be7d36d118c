import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { MailLinks } from '#/identity/letters/mail-links.ts';
import type { Background } from '#/platform/background.ts';

interface Deps {
  readonly accounts: Accounts;
  readonly mailLinks: MailLinks;
  /** Whether mails reach their addresses; otherwise they are files for the operator. */
  readonly hasMail: boolean;
  readonly background: Background;
}

export type AddressChange = ReturnType<typeof createAddressChange>;

/**
 * Changes of an account's name and address. A proven address stays until the other one is proven too: a mistyped one would hand the account to
 * whoever reads its mail. Where mails are sent, every address is proven before it is the account's, so that nothing but the mail tells whether
 * another account has it.
 */
export function createAddressChange({ accounts, mailLinks, hasMail, background }: Deps) {
  return {
    /** Throws EMAIL_INVALID, INVALID_NAME; EMAIL_TAKEN only where no mails are sent. */
    async change(userId: string, newName: string | undefined, newEmail: string | undefined): Promise<void> {
      const { before, after, wanted } = await accounts.change(userId, newName, newEmail, hasMail);
      if (wanted !== undefined) {
        const mailLink = await mailLinks.letWait(after, wanted);
        background.start('mail new address', mailLink);
        if (after.verifiedAt !== null) background.start('mail address asked', () => mailLinks.tellAddressAsked(after, wanted));
        return;
      }
      // Whoever names the address that the account has wants no other one any more.
      if (newEmail !== undefined) await mailLinks.endWaiting(userId);
      if (before.email === after.email) return;
      background.start('mail address change', async () => {
        await mailLinks.endAll(after.id);
        // The former mailbox may be gone; the new one has to be proven all the same.
        background.start('mail former address', () => mailLinks.tellAddressChanged({ ...after, email: before.email }));
        await mailLinks.mailVerification(after);
      });
    },

    /**
     * Gives the caller's account the address that waited, by the link mailed there; undefined when it is no such link. Whoever only reads the mail of a
     * mistyped address does not get the account: throws NOT_THE_ACCOUNT, and the link still works. Throws EMAIL_TAKEN.
     */
    async confirm(token: string, userId: string | undefined): Promise<string | undefined> {
      const holder = await mailLinks.holderOfWaiting(token);
      if (holder === undefined) return undefined;
      if (holder !== userId) throw appError('NOT_THE_ACCOUNT', {});
      const waited = await mailLinks.takeWaiting(token);
      if (!waited) return undefined;
      const former = await accounts.get(waited.accountId);
      await accounts.moveTo(former.id, waited.email);
      await mailLinks.endAll(former.id);
      background.start('mail former address', () => mailLinks.tellAddressChanged(former));
      return waited.email;
    },
  };
}
