import { createAuthCode, listAuthCodes, makeToken, revokeAuthCode } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { deviceOf } from '#/auth/session-cookies.ts';
import { serve } from '#/http/serve.ts';
import { requireBrowser } from '#/http/session.ts';
import type { AuthCodes } from './service.ts';

export function authCodeRoutes(app: FastifyInstance, codes: AuthCodes): void {
  serve(app, listAuthCodes, async ({ userId }) => ({ codes: await codes.list(userId) }));
  serve(app, createAuthCode, ({ userId, session, input }) => {
    requireBrowser(session);
    return codes.create(userId, input.name);
  });
  serve(app, revokeAuthCode, async ({ userId, session, input }) => {
    requireBrowser(session);
    await codes.revoke(userId, input.authCodeId);
    return {};
  });
  serve(app, makeToken, ({ input, request }) => codes.signIn(input.authCode, deviceOf(request)));
}
