import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SignUpRules, appError, listSeparator } from '@sheaf/contract';
import { type EmailAddress, readEmail } from '#/identity/account/rules.ts';
import type { Entry } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Config } from '#/platform/config/config.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken } from '#/platform/tokens.ts';
import type { AdmissionStore, Presented } from './store.ts';

const codesPerNetwork = { tries: 10, seconds: 900 };
const codesInAll = { tries: 200, seconds: 3600 };

interface Deps {
  readonly config: Pick<Config, 'signup' | 'signupDomains' | 'operators' | 'isPrivate'>;
  readonly store: AdmissionStore;
  readonly throttle: Throttle;
  /** The setup code follows from it, so that all instances print the same one. */
  readonly masterKey: Buffer;
  readonly now: Clock;
}

/** Somebody who signs up with an e-mail address that is not verified yet. */
interface Applicant {
  readonly email: string;
  /** Token of an invitation. */
  readonly invitation?: string | undefined;
  readonly setupCode?: string | undefined;
  /** The client's network address. */
  readonly address: string;
}

/** An admitted applicant. */
export interface Admitted {
  readonly entry: Entry;
  /** Whether the token of the invitation proves that the applicant reads mail at the address. */
  readonly isProven: boolean;
  /** Whether the applicant has proven to run this installation. */
  readonly isSetup: boolean;
}

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Decides who may create an account. While there is none, only the operator may, whatever the settings say: with the code printed
 * at the start, or with an address that SHEAF_OPERATORS names, or, while only this machine can reach Sheaf, anybody.
 */
export function createAdmission({ config, store, throttle, masterKey, now }: Deps) {
  const named = config.operators === 'everyone' ? [] : config.operators;
  const domains = config.signupDomains;
  const code = codeFrom(masterKey);
  let hadAccounts = false;

  async function setup(): Promise<SignUpRules['setup']> {
    hadAccounts ||= await store.hasAccounts();
    if (hadAccounts) return undefined;
    if (config.isPrivate) return 'free';
    return named.length > 0 ? 'operators' : 'code';
  }

  async function checkCode(typed: string, address: string): Promise<void> {
    await throttle.count(`setup code from ${networkOf(address)}`, codesPerNetwork);
    await throttle.count('setup codes', codesInAll);
    const [given, right] = [typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''), code.replaceAll('-', '')].map((text) => Buffer.from(text));
    if (!given || !right || given.length !== right.length || !timingSafeEqual(given, right)) throw appError('SETUP_CODE_WRONG', {});
  }

  /** Throws INVITATION_SPENT, and INVITATION_OTHER_ADDRESS for another address than the invited one. */
  async function presented(tokenHash: string, { emailKey }: EmailAddress): Promise<Presented> {
    const found = await store.present(tokenHash, now());
    if (!found) throw appError('INVITATION_SPENT', {});
    if (found.email !== null && found.emailKey !== emailKey) throw appError('INVITATION_OTHER_ADDRESS', { email: found.email });
    return found;
  }

  const isOfDomain = ({ emailKey }: EmailAddress): boolean =>
    domains.length === 0 || domains.includes(emailKey.slice(emailKey.lastIndexOf('@') + 1));

  /** Throws the reason why an address without an invitation may not sign up, unless it may. */
  function refuseUninvited(email: EmailAddress): void {
    if (config.signup === 'invited') throw appError('SIGNUP_INVITED', {});
    if (!isOfDomain(email)) throw appError('SIGNUP_DOMAIN', { domains: domains.join(listSeparator) });
  }

  return {
    /** What is possible for visitors without an invitation, for the pages. */
    async rules(): Promise<SignUpRules> {
      const first = await setup();
      return { mode: config.signup, domains: [...domains], ...(first !== undefined && { setup: first }) };
    },

    /** The code with which the operator creates the first account; undefined when none is needed. */
    setupCode: async (): Promise<string | undefined> => ((await setup()) === 'code' ? code : undefined),

    /**
     * Admits a sign-up by e-mail. Throws SETUP_FIRST, SETUP_CODE_WRONG, SIGNUP_CLOSED, SIGNUP_INVITED, SIGNUP_DOMAIN, INVITATION_SPENT,
     * INVITATION_OTHER_ADDRESS, TOO_MANY_TRIES. Without a token the answer depends on the settings alone, so that it reveals nobody's invitation.
     */
    async admit({ email: typed, invitation, setupCode, address }: Applicant): Promise<Admitted> {
      const email = readEmail(typed);
      const first = await setup();
      if (first === 'code') {
        if (setupCode === undefined) throw appError('SETUP_FIRST', {});
        await checkCode(setupCode, address);
      }
      if (first === 'operators' && !named.includes(email.emailKey)) throw appError('SETUP_FIRST', {});
      // A named address becomes an operator's once it is verified, not by being typed.
      if (first !== undefined) return { entry: { isOperator: named.length === 0 }, isProven: false, isSetup: first === 'code' };
      if (config.signup === 'closed') throw appError('SIGNUP_CLOSED', {});
      if (invitation === undefined) {
        refuseUninvited(email);
        return { entry: {}, isProven: false, isSetup: false };
      }
      const invitationHash = hashToken(invitation);
      const { isOwn, isMailed } = await presented(invitationHash, email);
      return { entry: { invitationHash, spends: isOwn }, isProven: isMailed, isSetup: false };
    },

    /** Admits a sign-up again whose mailed link is opened: an invitation may have ended meanwhile. Throws as {@link admit} does. */
    async readmit(typed: string, invitationHash: string | null): Promise<Entry> {
      const email = readEmail(typed);
      const first = await setup();
      if (first === 'code' || (first === 'operators' && !named.includes(email.emailKey))) throw appError('SETUP_FIRST', {});
      if (first !== undefined) return { isOperator: named.length === 0 };
      if (config.signup === 'closed') throw appError('SIGNUP_CLOSED', {});
      if (invitationHash !== null) return { invitationHash, spends: (await presented(invitationHash, email)).isOwn };
      refuseUninvited(email);
      return {};
    },

    /**
     * Admits a new account with the address of a sign-in provider; throws as {@link admit} does. An invitation counts for a verified address.
     * `isWelcome`: the provider's settings admit everybody, once there is an account.
     */
    async admitFromProvider(typed: string, isVerified: boolean, isWelcome: boolean): Promise<Entry> {
      const email = readEmail(typed);
      const first = await setup();
      if (first === 'code' || (first === 'operators' && !(isVerified && named.includes(email.emailKey)))) throw appError('SETUP_FIRST', {});
      if (first !== undefined) return { isOperator: named.length === 0 };
      if (isWelcome) return isVerified ? { spendsOf: email.emailKey } : {};
      if (config.signup === 'closed') throw appError('SIGNUP_CLOSED', {});
      if (isVerified && (await store.isInvited(email.emailKey, now()))) return { spendsOf: email.emailKey };
      refuseUninvited(email);
      // Somebody else could have typed the address at the provider.
      if (domains.length > 0 && !isVerified) throw appError('SIGNUP_DOMAIN', { domains: domains.join(listSeparator) });
      return {};
    },

    /** Throws INVITATION_SPENT. */
    async show(token: string): Promise<{ email?: string }> {
      const found = await store.present(hashToken(token), now());
      if (!found?.isOwn) throw appError('INVITATION_SPENT', {});
      return found.email === null ? {} : { email: found.email };
    },
  };
}

/** Twenty characters without those that look alike (Crockford's Base32), 100 bits. */
function codeFrom(masterKey: Buffer): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const bytes = createHmac('sha256', masterKey).update('setup code').digest().subarray(0, 20);
  const letters = [...bytes].map((byte) => alphabet[byte % 32] ?? '').join('');
  return letters.match(/.{5}/g)?.join('-') ?? letters;
}
