import { AppError, appError } from '@sheaf/contract';
import { checkPassword, hashPassword, isPassword } from '#/identity/account/password.ts';
import { readEmail } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow } from '#/identity/account/store.ts';
import type { AuthCodes } from '#/identity/auth-codes/service.ts';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { MailLinks } from '#/identity/mails/mail-links.ts';
import type { KnownDevices } from '#/identity/sessions/known-devices.ts';
import type { Entered, SessionOpener } from '#/identity/sessions/session-opener.ts';
import type { Device, Sessions } from '#/identity/sessions/sessions.ts';
import type { Background } from '#/platform/background.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Throttle } from '#/platform/throttle.ts';
import type { AddressChange } from './address-change.ts';
import type { ClaimAddress } from './claim-address.ts';
import type { PasswordRule } from './password-rule.ts';

const minutes = 60;
/** Wrong passwords for one account from one network, or from one known browser. */
const loginPerNetwork = { tries: 10, seconds: 15 * minutes };
/** Wrong passwords for one account from all unknown browsers together: the limit for a botnet. */
const loginByStrangers = { tries: 500, seconds: 60 * minutes };
// Generous, because whole offices share an address.
const loginPerAddress = { tries: 300, seconds: 15 * minutes };
const mailPerAddress = { tries: 30, seconds: 60 * minutes };
const mailPerAccount = { tries: 5, seconds: 60 * minutes };
/** Each change mails the new and the former address, which may belong to anybody. */
const addressChanges = { tries: 20, seconds: 24 * 60 * minutes };
const tokenPerAddress = { tries: 50, seconds: 15 * minutes };

interface Deps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly sessionOpener: SessionOpener;
  readonly devices: Pick<KnownDevices, 'isKnown'>;
  readonly authCodes: AuthCodes;
  readonly claimAddress: ClaimAddress;
  readonly mailLinks: MailLinks;
  readonly addressChange: Pick<AddressChange, 'confirm'>;
  readonly alerts: Alerts;
  readonly throttle: Throttle;
  readonly background: Background;
  readonly passwords: PasswordRule;
}

interface NewPassword {
  readonly newPassword: string;
  readonly keepAuthCodes?: boolean;
}

export type Auth = ReturnType<typeof createAuth>;

/** Sign-in with email and password, and verification of addresses. `address` is the client's network address, by which tries are counted. */
export function createAuth({
  accounts,
  sessions,
  sessionOpener,
  devices,
  authCodes,
  claimAddress,
  mailLinks,
  addressChange,
  alerts,
  throttle,
  background,
  passwords,
}: Deps) {
  /** The account that an anonymous request may send a mail to; undefined for unknown or invalid addresses and after too many mails. */
  async function mailable(email: string): Promise<AccountRow | undefined> {
    try {
      const account = await accounts.findByEmail(email);
      if (!account || account.disabledAt !== null) return undefined;
      await throttle.count(`mail to ${account.id}`, mailPerAccount);
      return account;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  return {
    /**
     * Throws INVALID_CREDENTIALS for a wrong pair, an unknown address and a disabled account alike, and TOO_MANY_TRIES. Tries are counted by account
     * and network, and separately for known browsers, so that a stranger's wrong passwords do not lock the owner out.
     */
    async signIn(email: string, password: string, device: Device): Promise<Entered> {
      const account = await accounts.findByEmail(email);
      const network = networkOf(device.address);
      await throttle.count(`login from ${network}`, loginPerAddress);
      // The stored hash is part of the key: a new password resets the count.
      const who = `login ${account?.emailKey ?? email.trim().toLowerCase()} ${account?.passwordHash ?? ''}`;
      const isKnown = await devices.isKnown(account?.id ?? '', device.token);
      const own = isKnown ? `${who} in ${device.token}` : `${who} from ${network}`;
      await throttle.count(own, loginPerNetwork);
      if (!isKnown) await throttle.count(`${who} by strangers`, loginByStrangers);
      const fits = await isPassword(password, account?.passwordHash);
      if (!account || !fits || account.disabledAt !== null) throw appError('INVALID_CREDENTIALS', {});
      // Only whoever has the password learns that it does not count.
      await passwords.check(account.id);
      await throttle.clear(own);
      if (!isKnown) await throttle.uncount(`${who} by strangers`);
      return sessionOpener.afterPassword(account, device);
    },

    /** Mails a link to set a new password if the address is known; neither the answer nor its timing reveals whether it is. */
    async forgot(email: string, address: string): Promise<void> {
      await throttle.count(`mail ${networkOf(address)}`, mailPerAddress);
      background.startAfterAnswer('mail reset', async () => {
        const account = await mailable(email);
        if (account && (await passwords.allows(account.id))) await mailLinks.mailReset(account);
      });
    },

    /**
     * Sets a new password and ends all other sessions, links to set another and, unless they are to be kept, authentication codes with their tokens:
     * somebody who knew the old password loses access. Throws WEAK_PASSWORD, INVALID_PARAMETER.
     */
    async setPassword({ userId, sessionId }: Caller, { newPassword, keepAuthCodes }: NewPassword, device: Device): Promise<void> {
      await passwords.check(userId);
      await accounts.setPassword(userId, await hashPassword(newPassword));
      await mailLinks.endForPassword(userId);
      await sessions.endAll(userId, sessionId);
      if (!keepAuthCodes) await authCodes.revokeAll(userId);
      alerts.tell(userId, { kind: 'passwordChanged' }, device);
    },

    /**
     * Sets a new password and ends all sessions and authentication codes; if the address was never verified, claims the account. Does not sign in: an
     * account with a verified address still asks for its second factor. Throws TOKEN_SPENT, WEAK_PASSWORD (the link then still works).
     */
    async reset(token: string, password: string, device: Device): Promise<void> {
      await throttle.count(`token ${networkOf(device.address)}`, tokenPerAddress);
      checkPassword(password);
      const account = await mailLinks.spend('reset', token);
      await passwords.check(account.id);
      await accounts.setPassword(account.id, await hashPassword(password));
      await mailLinks.endForPassword(account.id);
      if (account.verifiedAt === null) await claimAddress(account.id, device);
      await sessions.endAll(account.id);
      await authCodes.revokeAll(account.id);
      alerts.tell(account.id, { kind: 'passwordChanged' }, device);
    },

    /**
     * Verifies the address that the link was mailed to; a pending one becomes the account's, which must be the caller's. Throws TOKEN_SPENT,
     * EMAIL_TAKEN, NOT_THE_ACCOUNT.
     */
    async verify(token: string, userId: string | undefined, address: string): Promise<{ email: string }> {
      await throttle.count(`token ${networkOf(address)}`, tokenPerAddress);
      return { email: (await addressChange.confirm(token, userId)) ?? (await mailLinks.spend('verify', token)).email };
    },

    /** Mails the link again to the address to be verified: the account's or a pending one. Throws TOO_MANY_TRIES. */
    async resend(userId: string): Promise<void> {
      const account = await accounts.get(userId);
      const isWaiting = await mailLinks.isWaiting(userId);
      if (account.verifiedAt !== null && !isWaiting) return;
      await throttle.count(`mail to ${account.id}`, mailPerAccount);
      background.start('mail verification', () => (isWaiting ? mailLinks.mailWaiting(account) : mailLinks.mailVerification(account)));
    },

    /** Counts a change of address. Throws TOO_MANY_TRIES, EMAIL_INVALID. */
    async countAddressChange(userId: string, email: string): Promise<void> {
      await throttle.count(`address change of ${userId}`, addressChanges);
      await throttle.count(`address change to ${readEmail(email).emailKey}`, addressChanges);
    },

    /** Ends the session, or revokes the token of a command-line client. Returns the provider that opened the session, if one did. */
    async signOut(caller: Caller): Promise<string | undefined> {
      if (caller.rTag !== undefined) return sessions.end(caller.userId, caller.sessionId);
      await authCodes.signOut(caller);
      return undefined;
    },
  };
}
