import type { Logger } from 'pino';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Platform } from '#/platform/compose.ts';
import type { Config } from '#/platform/config/config.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import { createWaysIn } from '#/platform/db/ways-in.ts';
import { newId } from '#/platform/ids.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Throttle } from '#/platform/throttle.ts';
import type { Vault } from '#/secrets/vault.ts';
import { createAccounts } from './account/service.ts';
import { createAccountStore } from './account/store.ts';
import { createAdmission } from './admission/admission.ts';
import { createSignUpInvitationStore } from './admission/invitation-store.ts';
import { createSignUpInvitations } from './admission/invitations.ts';
import { createOperators } from './admission/operators.ts';
import { createAdmissionStore } from './admission/store.ts';
import { createAgents } from './agents/service.ts';
import { createAgentStore } from './agents/store.ts';
import { createAppPasswords } from './app-passwords/service.ts';
import { createAppPasswordStore } from './app-passwords/store.ts';
import { createAuthCodes } from './auth-codes/service.ts';
import { createAuthCodeStore } from './auth-codes/store.ts';
import { createAddressChange } from './credentials/address-change.ts';
import { createClaimAddress } from './credentials/claim-address.ts';
import { createPasswordRule } from './credentials/password-rule.ts';
import { createAuth } from './credentials/service.ts';
import { createSignUpStore } from './credentials/sign-up-store.ts';
import { createSigningUp } from './credentials/signing-up.ts';
import { createDeviceSignIn } from './device-sign-in/service.ts';
import { createDeviceStore } from './device-sign-in/store.ts';
import { createUserCodes } from './device-sign-in/user-codes.ts';
import { createLimits } from './limits/service.ts';
import { createLimitStore } from './limits/store.ts';
import { createAlerts } from './mails/alerts.ts';
import { createMailLinks } from './mails/mail-links.ts';
import { createMailTokenStore } from './mails/mail-token-store.ts';
import { createClosingStore } from './profile/closing-store.ts';
import { createClosings } from './profile/closing.ts';
import { createChallengeStore } from './second-factors/challenge-store.ts';
import { createPasskeys } from './second-factors/passkeys.ts';
import { createSecondFactors } from './second-factors/service.ts';
import { createSecondFactorStore } from './second-factors/store.ts';
import { createKnownDeviceStore } from './sessions/known-device-store.ts';
import { createKnownDevices } from './sessions/known-devices.ts';
import { createReauthentication } from './sessions/reauthentication.ts';
import { createSessionOpener } from './sessions/session-opener.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createSessions } from './sessions/sessions.ts';
import { createTicketStore } from './sessions/ticket-store.ts';
import { createTickets } from './sessions/tickets.ts';
import { type FollowRoles, createFollowing } from './sign-in/following.ts';
import { createOpenidProviders, opensWith, titleOf } from './sign-in/openid-providers.ts';
import { createSecondSteps } from './sign-in/second-steps.ts';
import { callbackPath } from './sign-in/sign-in-routes.ts';
import { createSignInStore } from './sign-in/sign-in-store.ts';
import { createSignIn } from './sign-in/sign-in.ts';

interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly vault: Vault;
  readonly masterKey: Buffer;
  readonly mailer: Mailer;
  readonly throttle: Throttle;
  readonly background: Background;
  readonly subscriptions: Pick<Subscriptions, 'upgradeOf'>;
  readonly links: Parameters<typeof createClaimAddress>[0]['links'];
  readonly now: Clock;
  /** What other areas do when a provider says something of somebody. */
  readonly directory: { readonly followRoles: FollowRoles; readonly followPicture: (accountId: string, address: string) => void };
}

/** Builds accounts, sessions and all ways to sign in. */
export function composeIdentity({
  config,
  log,
  db,
  vault,
  masterKey,
  mailer,
  throttle,
  background,
  subscriptions,
  links,
  now,
  directory,
}: Deps) {
  const { publicUrl } = config;
  const mailTokens = createMailTokenStore(db);
  const opens = opensWith(config.providers, config.oidc);
  const waysIn = createWaysIn({ opens });
  const accounts = createAccounts({
    store: createAccountStore(db, waysIn),
    newId,
    now,
    upgradeOf: subscriptions.upgradeOf,
    providerTitle: titleOf(config.oidc),
    opens,
    hasMail: config.smtpUrl !== '',
    allowsPassword: (accountId) => passwords.allows(accountId),
    waitingEmailOf: async (accountId) => (await mailTokens.waiting(accountId, now()))?.email,
  });
  const sessions = createSessions({ store: createSessionStore(db), newId, now });
  const hasMail = config.smtpUrl !== '';
  const mailLinks = createMailLinks({ store: mailTokens, mailer, accounts, publicUrl, now });
  const addressChange = createAddressChange({ accounts, mailLinks, hasMail, background });
  const alerts = createAlerts({ accounts, mailer, background, publicUrl, now });
  const appPasswords = createAppPasswords({ store: createAppPasswordStore(db), accounts, vault, throttle, newId, now });
  const agents = createAgents({ store: createAgentStore(db), newId, now });
  const codes = createAuthCodes({ store: createAuthCodeStore(db), accounts, throttle, newId, now });
  const deviceSignIn = createDeviceSignIn({
    store: createDeviceStore(db),
    userCodes: createUserCodes(masterKey),
    authCodes: codes,
    appPasswords,
    throttle,
    publicUrl,
    now,
  });
  const authCodes = {
    ...codes,
    /** Revokes everything that programs sign in with: authentication codes, confirmed codes of programs, app passwords and agents. */
    async revokeAll(accountId: string): Promise<void> {
      await deviceSignIn.revokeAll(accountId);
      await codes.revokeAll(accountId);
      await appPasswords.revokeAll(accountId);
      await agents.revokeAll(accountId);
    },
  };
  const factorStore = createSecondFactorStore(db, waysIn);
  const passkeys = createPasskeys({ store: factorStore, challenges: createChallengeStore(db), publicUrl, now });
  const factors = createSecondFactors({ store: factorStore, passkeys, accounts, vault, throttle, newId, now });
  const tickets = createTickets({ store: createTicketStore(db), accounts, now });
  const devices = createKnownDevices({ store: createKnownDeviceStore(db), now });
  const sessionOpener = createSessionOpener({ accounts, sessions, factors, tickets, devices });
  const admissionStore = createAdmissionStore(db);
  const admission = createAdmission({ config, store: admissionStore, throttle, masterKey, now });
  const operators = createOperators({ operators: config.operators, accounts, store: admissionStore, now });
  const signUpInvitations = createSignUpInvitations({
    store: createSignUpInvitationStore(db),
    operators,
    accounts,
    signup: config.signup,
    hasMail,
    mailer,
    background,
    publicUrl,
    newId,
    now,
  });
  const passwords = createPasswordRule({
    isOff: config.signIn === 'providers',
    isOperator: operators.isOperator,
    hasAccounts: admissionStore.hasAccounts,
  });
  const signingUp = createSigningUp({
    store: createSignUpStore(db),
    accounts,
    admission,
    sessionOpener,
    mailLinks,
    mailer,
    hasMail,
    throttle,
    background,
    publicUrl,
    now,
    passwords,
  });
  const claimAddress = createClaimAddress({ accounts, factors, sessions, authCodes, links, alerts });
  const limitStore = createLimitStore(db);
  const signIn = createSignIn({
    openid: createOpenidProviders(config.providers, config.oidc, (provider) => publicUrl + callbackPath(provider)),
    store: createSignInStore(db),
    accounts,
    admission,
    claimAddress,
    factors,
    sessionOpener,
    sessions,
    follow: createFollowing({
      ...directory,
      operators,
      limits: limitStore,
      accounts,
      now,
      onAbsent: (orgId, provider) => log.warn({ orgId, provider }, 'the settings name an organisation that does not exist'),
    }),
    mailLinks,
    alerts,
    throttle,
    background,
    now,
    onTrouble: ({ trouble, cause }, provider) => log.warn({ err: cause, provider }, `sign-in ${trouble}`),
  });
  return {
    accounts,
    limitStore,
    limitOf: createLimits(limitStore),
    admission,
    operators,
    signUpInvitations,
    sessions,
    mailLinks,
    addressChange,
    alerts,
    agents,
    appPasswords,
    authCodes,
    deviceSignIn,
    passkeys,
    factors,
    tickets,
    sessionOpener,
    signIn,
    signingUp,
    secondSteps: createSecondSteps({ accounts, tickets, factors, passkeys, sessionOpener, throttle }),
    reauthentication: createReauthentication({ accounts, sessions, factors, throttle, now }),
    auth: createAuth({
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
    }),
    passwords,
    /** Jobs that delete expired rows; each runs on its own. */
    sweeps: {
      sessions: sessions.sweep,
      agents: agents.sweep,
      authCodes: authCodes.sweep,
      deviceSignIn: deviceSignIn.sweep,
      mailTokens: () => mailTokens.sweep(now()),
      signingUp: signingUp.sweep,
      signUpInvitations: signUpInvitations.sweep,
      signIn: signIn.sweep,
      tickets: tickets.sweep,
      passkeys: passkeys.sweep,
      devices: devices.sweep,
    },
  };
}

type ClosingDeps = Parameters<typeof createClosings>[0];

/** Builds the closing of accounts, which also ends their data in other areas. */
export const composeClosings = (
  { db, log, mailer, background, publicUrl, now }: Platform,
  deps: Omit<ClosingDeps, 'store' | 'mailer' | 'background' | 'publicUrl' | 'now' | 'onTrouble'>,
) =>
  createClosings({
    ...deps,
    store: createClosingStore(db),
    mailer,
    background,
    publicUrl,
    now,
    onTrouble: (error) => log.error({ err: error }, 'an account could not be closed'),
  });
