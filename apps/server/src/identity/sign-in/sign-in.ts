import { AppError, type SignInProvider, afterSignIn } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { AccountRow, Entry } from '#/identity/account/store.ts';
import type { Admission } from '#/identity/admission/admission.ts';
import type { ClaimAddress } from '#/identity/credentials/claim-address.ts';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { MailLinks } from '#/identity/mails/mail-links.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Entered, SessionOpener } from '#/identity/sessions/session-opener.ts';
import type { Device, Sessions } from '#/identity/sessions/sessions.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { Follow } from './following.ts';
import type { OpenidProviders } from './openid-providers.ts';
import type { Claims, Trouble } from './openid.ts';
import type { PendingSignIn, SignInStore } from './sign-in-store.ts';

/** Seconds a user may take at the provider. */
export const signInTime = 600;
const perAddress = { tries: 60, seconds: 900 };
/** Generous, because a provider reports the sign-outs of all its people from one address. */
const logoutsPerAddress = { tries: 5000, seconds: 900 };

/** Pages under /login for failed sign-ins. */
export type SignInFailure =
  | 'accountdisabled'
  | 'accountnotfound'
  | 'connectionerror'
  | 'declined'
  | 'notadmitted'
  | 'unexpectederror'
  | 'wrongaccount';

/** A failed sign-in. Says whether the operator can fix it. */
export interface Failed {
  readonly failure: SignInFailure;
  readonly isNotSetUp?: true;
  /** For another try with the same target. */
  readonly way: Way;
}
type Begun = Failed | { readonly url: string; readonly binding: string };
type Finished = Failed | { readonly entered: Entered; readonly way: Way } | { readonly joined: boolean };

/** Where a sign-in leads, and its cancel button. */
export interface Way {
  readonly redirectUrl: string;
  readonly cancelUrl: string;
}
/** A browser that returns from a provider. */
interface Return {
  /** The whole address it returned to. */
  readonly answer: URL;
  readonly device: Device;
  /** The signed-in user of that browser, if any. */
  readonly userId: string | undefined;
}
export const usualWay: Way = { redirectUrl: afterSignIn, cancelUrl: '/' };

interface Deps {
  readonly openid: OpenidProviders;
  readonly store: SignInStore;
  readonly accounts: Accounts;
  readonly admission: Pick<Admission, 'admitFromProvider'>;
  readonly claimAddress: ClaimAddress;
  readonly factors: SecondFactors;
  readonly sessionOpener: SessionOpener;
  readonly sessions: Pick<Sessions, 'endThere'>;
  /** Applies the claims of one of the operator's own providers. */
  readonly follow: Follow;
  readonly mailLinks: MailLinks;
  readonly alerts: Alerts;
  readonly throttle: Throttle;
  readonly background: Background;
  readonly now: Clock;
  readonly onTrouble: (trouble: Trouble, provider: SignInProvider) => void;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Sign-up and sign-in with OpenID Connect providers. */
export function createSignIn({
  openid,
  store,
  accounts,
  admission,
  claimAddress,
  factors,
  sessionOpener,
  sessions,
  follow,
  mailLinks,
  alerts,
  throttle,
  background,
  now,
  onTrouble,
}: Deps) {
  /**
   * Returns the account for an identity. A known identity opens its account. Otherwise the address decides, and only one that the provider has
   * verified opens an existing account: the identity is added if the account's address is verified too; if not, somebody may have registered the
   * address in advance, so the account is claimed. A verified account with a second factor gets identities only from its owner, on the profile page:
   * the provider would not ask for the second factor. An unverified address only ever creates a new account.
   */
  async function accountOf(provider: SignInProvider, claims: Claims, device: Device): Promise<AccountRow | SignInFailure> {
    const { issuer, subject, email, emailVerified } = claims;
    const known = await accounts.findByIdentity(issuer, subject);
    if (known) return known;
    if (email === undefined) return 'accountnotfound';
    const existing = await accounts.findByEmail(email);
    if (existing && (!emailVerified || (existing.verifiedAt !== null && (await factors.kinds(existing.id)).length > 0)))
      return 'wrongaccount';
    const account = existing ?? (await createFor(claims, email, openid.get(provider)?.welcomesAll === true));
    if (account === undefined) return 'notadmitted';
    if (existing?.verifiedAt === null) {
      await accounts.setPassword(existing.id, null);
      await claimAddress(existing.id, device);
    }
    const joined = await accounts.join(account.id, { issuer, subject, provider, email });
    if (joined && existing) tellJoined(existing.id, provider, device);
    if (joined && existing?.verifiedAt === null) await accounts.markVerified(existing);
    return joined ? account : 'unexpectederror';
  }

  const tellJoined = (accountId: string, provider: SignInProvider, device: Device): void =>
    alerts.tell(accountId, { kind: 'added', what: `Signing in with ${accounts.providerTitle(provider)}` }, device);

  /** Undefined when nobody, or not this address, may create an account. */
  async function createFor(
    { followed: { name }, emailVerified }: Claims,
    email: string,
    isWelcome: boolean,
  ): Promise<AccountRow | undefined> {
    let entry: Entry;
    try {
      entry = await admission.admitFromProvider(email, emailVerified, isWelcome);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
    const account = await accounts.create({ name: undefined, email, passwordHash: null, verified: emailVerified, entry });
    if (!emailVerified) background.start('mail verification', () => mailLinks.mailVerification(account));
    return name === undefined ? account : accounts.nameIfAllowed(account, name);
  }

  /** Adds the identity to the account; false when it belongs to another one. */
  async function join(accountId: string, provider: SignInProvider, { issuer, subject, email }: Claims, device: Device): Promise<boolean> {
    const known = await accounts.findByIdentity(issuer, subject);
    if (known) return known.id === accountId;
    const isJoined = await accounts.join(accountId, { issuer, subject, provider, email: email ?? '' });
    if (isJoined) tellJoined(accountId, provider, device);
    return isJoined;
  }

  async function redeem(pending: PendingSignIn, provider: SignInProvider, { answer, device, userId }: Return): Promise<Finished> {
    const way = { redirectUrl: pending.redirectUrl, cancelUrl: pending.cancelUrl };
    const provided = openid.get(provider);
    if (!provided || pending.provider !== provider) return { failure: 'unexpectederror', way };
    // A user whose session has ended meanwhile, perhaps by a new password, may not add an identity.
    if (pending.joinsId !== null && pending.joinsId !== userId) return { failure: 'unexpectederror', way };
    const claims = await provided.finish(answer, pending);
    if ('trouble' in claims) return { failure: pageOf(claims, provider), way };
    if (pending.joinsId !== null) return { joined: await join(pending.joinsId, provider, claims, device) };
    const account = await accountOf(provider, claims, device);
    if (typeof account === 'string') return { failure: account, way };
    if (account.disabledAt !== null) return { failure: 'accountdisabled', way };
    if (provided.isOwn) await follow({ account, provider, title: provided.title, claims });
    return { entered: await sessionOpener.afterProvider(account, device, { provider, sid: claims.sid }), way };
  }

  function pageOf(trouble: Trouble, provider: SignInProvider): SignInFailure {
    if (trouble.trouble === 'declined') return 'declined';
    onTrouble(trouble, provider);
    return trouble.trouble === 'unreachable' ? 'connectionerror' : 'unexpectederror';
  }

  return {
    /**
     * Redirects to the provider. A cookie binds the sign-in to the browser that started it. Throws TOO_MANY_TRIES. With `joinsId` the identity is
     * added to that account, without a sign-in.
     */
    async begin(provider: SignInProvider, way: Way, address: string, joinsId: string | null = null): Promise<Begun> {
      const provided = openid.get(provider);
      if (!provided) return { failure: 'connectionerror', isNotSetUp: true, way };
      await throttle.count(`sign-in ${networkOf(address)}`, perAddress);
      const begun = await provided.begin();
      if ('trouble' in begun) return { failure: pageOf(begun, provider), way };
      const binding = newToken();
      const expiresAt = now() + signInTime;
      await store.insert({ bindingHash: hashToken(binding), provider, ...begun.secrets, ...way, joinsId, expiresAt });
      return { url: begun.url, binding };
    },

    /** Handles the provider's answer; refuses one that does not belong to this browser's sign-in. */
    async finish(provider: SignInProvider, binding: string | undefined, back: Return): Promise<Finished> {
      const pending = binding === undefined ? undefined : await store.take(hashToken(binding), now());
      return pending ? redeem(pending, provider, back) : { failure: 'unexpectederror', way: usualWay };
    },

    /**
     * Ends the sessions that the provider's logout token names; sessions of other ways to sign in go on. Returns false for a token that is invalid or not of
     * that provider. Throws TOO_MANY_TRIES.
     */
    async endFrom(provider: SignInProvider, token: string, address: string): Promise<boolean> {
      const provided = openid.get(provider);
      if (!provided) return false;
      await throttle.count(`logout tokens ${networkOf(address)}`, logoutsPerAddress);
      const ended = await provided.readLogout(token);
      if ('trouble' in ended) {
        onTrouble(ended, provider);
        return false;
      }
      const { issuer, subject, sid, at: before } = ended;
      const account = subject === undefined ? undefined : await accounts.findByIdentity(issuer, subject);
      // Nobody signed in here with that identity.
      if (subject !== undefined && !account) return true;
      await sessions.endThere({ provider, accountId: account?.id, sid, before });
      return true;
    },

    /** The address at which the browser ends its session at the provider; undefined where it offers none. */
    signOutUrl: async (provider: string, returnTo: string): Promise<string | undefined> => openid.get(provider)?.signOutUrl(returnTo),

    isSetUp: { google: openid.has('google'), microsoft: openid.has('microsoft') },
    providers: [...openid].map(([provider, { title, isDirect }]) => ({ provider, title, ...(isDirect && { isDirect }) })),
    sweep: () => store.sweep(now()),
  };
}
