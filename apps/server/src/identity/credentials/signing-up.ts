import { AppError, appError, safePath } from '@sheaf/contract';
import { hashPassword, isPassword } from '#/identity/account/password.ts';
import { nameFromEmail, readEmail, readName } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Admission } from '#/identity/admission/admission.ts';
import type { MailLinks } from '#/identity/mails/mail-links.ts';
import type { SessionOpener, Opened } from '#/identity/sessions/session-opener.ts';
import type { Device } from '#/identity/sessions/sessions.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { accountExistsMail, signUpMail } from '#/platform/mail/mails.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { PasswordRule } from './password-rule.ts';
import type { SignUpStore } from './sign-up-store.ts';

/** Seconds for which the mailed link is valid. */
const validFor = 86_400;
/** Longest path, in characters, that the mailed link may carry. */
const longestTarget = 1000;
// Generous, because whole offices share an address.
const signUpsPerNetwork = { tries: 300, seconds: 3600 };
const mailsPerAddress = { tries: 5, seconds: 3600 };
const tokensPerNetwork = { tries: 50, seconds: 900 };

interface Deps {
  readonly store: SignUpStore;
  readonly accounts: Accounts;
  readonly admission: Pick<Admission, 'admit' | 'readmit'>;
  readonly sessionOpener: Pick<SessionOpener, 'open'>;
  readonly mailLinks: Pick<MailLinks, 'mailVerification'>;
  readonly mailer: Mailer;
  /** Whether mails are sent; otherwise they are files for the operator. */
  readonly hasMail: boolean;
  readonly throttle: Throttle;
  readonly background: Background;
  readonly publicUrl: string;
  readonly now: Clock;
  readonly passwords: Pick<PasswordRule, 'checkSignUp'>;
}

interface NewSignUp {
  readonly name?: string | undefined;
  readonly email: string;
  readonly password: string;
  /** Path that the mailed link finally leads to. */
  readonly redirectUrl?: string | undefined;
  /** Token of an invitation. */
  readonly invitation?: string | undefined;
  /** The code printed at the start, for the first account. */
  readonly setupCode?: string | undefined;
}

/** A sign-up whose link is mailed. */
interface Waiting {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly browser: string;
  readonly target: string;
  readonly invitationHash: string | null;
}

/** An account with its session; or the address mailed to, with the token that identifies the browser later. */
export type SignedUp = { readonly opened: Opened } | { readonly mailedTo: string; readonly device: string };

/** An account with its session; or the address whose sign-up needs its password first. */
export type Confirmed = { readonly opened: Opened } | { readonly passwordOf: string };

export type SigningUp = ReturnType<typeof createSigningUp>;

/**
 * Sign-up with email and password. Where mails are sent, answer and work are the same whether or not the address has an account; only the mail
 * differs. The account is created when the link is opened, because signing in earlier would reveal it too.
 */
export function createSigningUp(deps: Deps) {
  const { store, accounts, admission, sessionOpener, mailLinks, mailer, hasMail, throttle, background, publicUrl, now, passwords } = deps;

  /** Mails a link that creates the account or, if there is one, informs its owner. Does nothing after too many mails to the address. */
  async function mail(signUp: Waiting): Promise<void> {
    const { name, email, passwordHash, browser, target, invitationHash } = signUp;
    try {
      await throttle.count(`sign-up mail to ${readEmail(email).emailKey}`, mailsPerAddress);
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
    const holder = await accounts.findByEmail(email);
    if (holder) {
      await mailer.send({ to: holder.email, ...accountExistsMail(holder.name, publicUrl) });
      return;
    }
    const token = newToken();
    const row = { tokenHash: hashToken(token), email, name, passwordHash, browserHash: hashToken(browser), invitationHash };
    await store.add({ ...row, expiresAt: now() + validFor });
    const hash = new URLSearchParams({ signUp: token, ...(target !== '' && { to: target }) }).toString();
    await mailer.send({ to: email, ...signUpMail(name, `${publicUrl}/account/verifyemail#${hash}`) });
  }

  return {
    /**
     * Throws EMAIL_INVALID, WEAK_PASSWORD, INVALID_NAME, TOO_MANY_TRIES, and why somebody is not admitted; EMAIL_TAKEN only where no mail is needed:
     * none is sent, an invitation was mailed to that address, or the operator creates the first account.
     */
    async signUp(signUp: NewSignUp, device: Device): Promise<SignedUp> {
      const { name: typed, email: typedEmail, password, redirectUrl, invitation, setupCode } = signUp;
      await throttle.count(`signup ${networkOf(device.address)}`, signUpsPerNetwork);
      await passwords.checkSignUp();
      const { entry, isProven, isSetup } = await admission.admit({ email: typedEmail, invitation, setupCode, address: device.address });
      const passwordHash = await hashPassword(password);
      if (!hasMail || isProven || isSetup) {
        const account = await accounts.create({ name: typed, email: typedEmail, passwordHash, verified: isProven, entry });
        if (!isProven) background.start('mail verification', () => mailLinks.mailVerification(account));
        return { opened: await sessionOpener.open(account, device) };
      }
      const { email } = readEmail(typedEmail);
      const name = typed?.trim() ? readName(typed) : nameFromEmail(email);
      const browser = device.token ?? newToken();
      const target = redirectUrl === undefined || redirectUrl.length > longestTarget ? '' : safePath(redirectUrl, '');
      background.startAfterAnswer('mail sign-up', () =>
        mail({ name, email, passwordHash, browser, target, invitationHash: entry.invitationHash ?? null }),
      );
      return { mailedTo: email, device: browser };
    },

    /**
     * Creates the account of a mailed link, with a verified address. In a browser other than the one that signed up it asks for the password:
     * somebody else may have signed up with the reader's address, and the reader must not create an account with that password. Throws TOKEN_SPENT,
     * INVALID_CREDENTIALS, EMAIL_TAKEN, TOO_MANY_TRIES, and why somebody is no longer admitted.
     */
    async confirm(token: string, password: string | undefined, device: Device): Promise<Confirmed> {
      await throttle.count(`token ${networkOf(device.address)}`, tokensPerNetwork);
      const waiting = await store.find(hashToken(token), now());
      if (!waiting) throw appError('TOKEN_SPENT', {});
      if (device.token === undefined || hashToken(device.token) !== waiting.browserHash) {
        if (password === undefined) return { passwordOf: waiting.email };
        if (!(await isPassword(password, waiting.passwordHash))) throw appError('INVALID_CREDENTIALS', {});
      }
      const entry = await admission.readmit(waiting.email, waiting.invitationHash);
      const taken = await store.take(waiting.tokenHash, now());
      if (!taken) throw appError('TOKEN_SPENT', {});
      const { name, email, passwordHash } = taken;
      return { opened: await sessionOpener.open(await accounts.create({ name, email, passwordHash, verified: true, entry }), device) };
    },

    sweep: () => store.sweep(now()),
  };
}
