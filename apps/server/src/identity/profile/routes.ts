import {
  closeAccount,
  expireSessions,
  getClosing,
  getSession,
  listSessions,
  removePassword,
  reopenAccount,
  sessionInfo,
  setPassword,
  signInWays,
  unlinkIdentity,
  updateMember,
  type Brand,
  type Contact,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '#/identity/account/service.ts';
import type { Admission } from '#/identity/admission/admission.ts';
import type { AddressChange } from '#/identity/credentials/address-change.ts';
import type { PasswordRule } from '#/identity/credentials/password-rule.ts';
import type { Auth } from '#/identity/credentials/service.ts';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { clearSession, deviceOf, sendSession } from '#/identity/sessions/session-cookies.ts';
import type { Sessions } from '#/identity/sessions/sessions.ts';
import type { Config } from '#/platform/config/config.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Closings } from './closing.ts';
import { menuFor } from './menu.ts';

interface Deps {
  readonly accounts: Accounts;
  readonly auth: Auth;
  readonly reauthentication: Reauthentication;
  readonly factors: SecondFactors;
  readonly closings: Closings;
  readonly sessions: Sessions;
  readonly addressChange: AddressChange;
  readonly alerts: Alerts;
  /** Ways to sign in besides email. */
  readonly signIn: { readonly google: boolean; readonly microsoft: boolean; readonly passkey: boolean };
  /** Sign-in providers that are set up. */
  readonly signInProviders: { provider: string; title: string; isDirect?: boolean }[];
  readonly admission: Pick<Admission, 'rules'>;
  readonly isOperator: (userId: string) => Promise<boolean>;
  readonly billing: Config['billing'];
  readonly contact: Contact;
  readonly brand: Brand;
  readonly passwords: Pick<PasswordRule, 'isOff'>;
}

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const {
    accounts,
    auth,
    reauthentication,
    factors,
    closings,
    sessions,
    addressChange,
    alerts,
    signIn,
    signInProviders,
    billing,
    contact,
    brand,
    passwords,
  } = deps;
  const { admission, isOperator } = deps;
  serve(app, getSession, ({ userId, session }) => accounts.describe(userId, session.rTag ?? ''));
  serve(app, sessionInfo, async ({ session }) => {
    const isTheOperator = session !== undefined && (await isOperator(session.userId));
    const menu = menuFor({ isSignedIn: session !== undefined, isOperator: isTheOperator, billing, contact, brand });
    const hasPasswords = !passwords.isOff;
    const known = {
      menu,
      signIn,
      signInProviders,
      hasPasswords,
      signUp: await admission.rules(),
      isOperator: isTheOperator,
      billing,
      contact,
      brand,
    };
    if (!session) return known;
    return { session: await accounts.describe(session.userId, session.rTag ?? ''), ...known };
  });
  serve(app, listSessions, async ({ userId, session }) => ({ sessions: await sessions.list(userId, session.sessionId) }));
  serve(app, expireSessions, async ({ input, userId, session }) => {
    requireBrowser(session);
    await sessions.expire(userId, session.sessionId, input.sessionId);
    return {};
  });
  serve(app, updateMember, async ({ input, userId, session }) => {
    requireBrowser(session);
    if (input.newEmail !== undefined && (await accounts.get(userId)).email !== input.newEmail.trim()) {
      await reauthentication.require(session);
      await auth.countAddressChange(userId, input.newEmail);
    }
    await addressChange.change(userId, input.newName, input.newEmail);
    return accounts.describe(userId, session.rTag ?? '');
  });

  serve(app, signInWays, async ({ userId }) => ({
    hasPassword: (await accounts.get(userId)).passwordHash !== null,
    identities: await accounts.identities(userId),
    ...(await factors.describe(userId)),
  }));
  serve(app, setPassword, async ({ input, session, request }) => {
    await reauthentication.require(session);
    await auth.setPassword(session, input, deviceOf(request));
    return {};
  });
  serve(app, removePassword, async ({ userId, session, request }) => {
    await reauthentication.require(session);
    if (await accounts.removePassword(userId)) alerts.tell(userId, { kind: 'passwordRemoved' }, deviceOf(request));
    return {};
  });
  serve(app, unlinkIdentity, async ({ input, userId, session, request }) => {
    await reauthentication.require(session);
    const provider = await accounts.part(userId, input.identityId);
    if (provider !== undefined)
      alerts.tell(userId, { kind: 'removed', what: `Signing in with ${accounts.providerTitle(provider)}` }, deviceOf(request));
    return {};
  });

  serve(app, getClosing, ({ userId }) => closings.preview(userId));
  serve(app, closeAccount, async ({ input, session, reply }) => {
    requireBrowser(session);
    const closed = await closings.close(session, input);
    clearSession(reply);
    return closed;
  });
  serve(app, reopenAccount, async ({ input, request, reply }) => {
    const opened = await closings.reopen(input.ticket, deviceOf(request));
    sendSession(reply, opened);
    return opened.session;
  });
}
