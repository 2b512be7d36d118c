import { appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { MailLinks } from '#/identity/mails/mail-links.ts';
import type { Background } from '#/platform/background.ts';

interface Deps {
  readonly accounts: Accounts;
  readonly mailLinks: MailLinks;
  /** Whether mails are sent; otherwise they are files for the operator. */
  readonly hasMail: boolean;
  readonly background: Background;
}

export type AddressChange = ReturnType<typeof createAddressChange>;

/**
 * Changes of an account's name and address. A verified address stays until the new one is verified: a mistyped one would hand the account to its
 * reader. Where mails are sent, every address is verified before the change, so that only the mail reveals whether another account has it.
 */
export function createAddressChange({ accounts, mailLinks, hasMail, background }: Deps) {
  return {
    /** Throws EMAIL_INVALID, INVALID_NAME; EMAIL_TAKEN only where no mails are sent. */
    async change(userId: string, newName: string | undefined, newEmail: string | undefined): Promise<void> {
      const { before, after, wanted } = await accounts.change(userId, newName, newEmail, hasMail);
      if (wanted !== undefined) {
        const mailLink = await mailLinks.letWait(after, wanted);
        background.startAfterAnswer('mail new address', mailLink);
        if (after.verifiedAt !== null) background.start('mail address asked', () => mailLinks.tellAddressAsked(after, wanted));
        return;
      }
      // Entering the current address withdraws a pending change.
      if (newEmail !== undefined) await mailLinks.endWaiting(userId);
      if (before.email === after.email) return;
      background.start('mail address change', async () => {
        await mailLinks.endAll(after.id);
        // The former mailbox may no longer exist; the new one has to be verified anyway.
        background.start('mail former address', () => mailLinks.tellAddressChanged({ ...after, email: before.email }));
        await mailLinks.mailVerification(after);
      });
    },

    /**
     * Sets the pending address of the caller's account by the link mailed there; undefined for an unknown link. Reading the mail of a mistyped
     * address is not enough: throws NOT_THE_ACCOUNT, and the link still works. Throws EMAIL_TAKEN.
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
