import { expireSessions, getSession, listSessions, sessionInfo, updateMember } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { MailLinks } from '#/auth/mail-links.ts';
import type { Sessions } from '#/auth/sessions.ts';
import type { Background } from '#/background.ts';
import { serve } from '#/http/serve.ts';
import { requireBrowser } from '#/http/session.ts';
import { menuFor } from '#/menu/model.ts';
import type { Accounts } from './service.ts';

interface Deps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly mailLinks: MailLinks;
  readonly background: Background;
  /** Which sign-in providers are set up. */
  readonly signIn: { readonly google: boolean; readonly microsoft: boolean };
  readonly isOperator: (userId: string) => Promise<boolean>;
}

export function accountRoutes(app: FastifyInstance, { accounts, sessions, mailLinks, background, signIn, isOperator }: Deps): void {
  serve(app, getSession, ({ userId, session }) => accounts.describe(userId, session.rTag ?? ''));
  serve(app, sessionInfo, async ({ session }) => {
    const menu = menuFor(session !== undefined);
    if (!session) return { menu, signIn, isOperator: false };
    const described = await accounts.describe(session.userId, session.rTag ?? '');
    return { session: described, menu, signIn, isOperator: await isOperator(session.userId) };
  });
  serve(app, listSessions, async ({ userId, session }) => ({ sessions: await sessions.list(userId, session.sessionId) }));
  serve(app, expireSessions, async ({ input, userId, session }) => {
    requireBrowser(session);
    await (input.sessionId === undefined ? sessions.endAll(userId, session.sessionId) : sessions.end(userId, input.sessionId));
    return {};
  });
  serve(app, updateMember, async ({ input, userId, session }) => {
    requireBrowser(session);
    const { before, after } = await accounts.change(userId, input.newName, input.newEmail);
    if (before.email !== after.email)
      background.start('mail address change', async () => {
        await mailLinks.tellAddressChanged(before.email, after);
        await mailLinks.mailVerification(after);
      });
    return accounts.describe(userId, session.rTag ?? '');
  });
}
