import { createAuthCode, listAuthCodes, makeToken, revokeAuthCode } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf } from '#/identity/sessions/session-cookies.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { AuthCodes } from './service.ts';

interface Deps {
  readonly authCodes: AuthCodes;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly alerts: Alerts;
}

export function authCodeRoutes(app: FastifyInstance, { authCodes: codes, reauthentication, alerts }: Deps): void {
  serve(app, listAuthCodes, async ({ userId }) => ({ codes: await codes.list(userId) }));
  serve(app, createAuthCode, async ({ userId, session, input, request }) => {
    await reauthentication.require(session);
    const made = await codes.create(userId, input.name);
    alerts.tell(userId, { kind: 'codeMade', name: made.code.name }, deviceOf(request));
    return made;
  });
  serve(app, revokeAuthCode, async ({ userId, session, input }) => {
    requireBrowser(session);
    await codes.revoke(userId, input.authCodeId);
    return {};
  });
  serve(app, makeToken, ({ input, request }) => codes.signIn(input.authCode, deviceOf(request)));
}
