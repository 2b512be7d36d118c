import { emailLogin, emailSignup, forgotPassword, logout, resendVerification, resetPassword, verifyEmail } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/http/serve.ts';
import type { Auth } from './service.ts';
import { clearSession, deviceOf, sendEntered, sendSession } from './session-cookies.ts';

export function authRoutes(app: FastifyInstance, auth: Auth): void {
  serve(app, emailSignup, async ({ input, request, reply }) => {
    const opened = await auth.signUp(input.name, input.email, input.password, deviceOf(request));
    sendSession(reply, opened);
    return opened.session;
  });
  serve(app, emailLogin, async ({ input, request, reply }) =>
    sendEntered(reply, await auth.signIn(input.email, input.password, deviceOf(request))),
  );
  serve(app, forgotPassword, async ({ input, request }) => {
    await auth.forgot(input.email, request.ip);
    return {};
  });
  serve(app, resetPassword, async ({ input, request }) => {
    await auth.reset(input.token, input.password, deviceOf(request));
    return {};
  });
  serve(app, verifyEmail, ({ input, userId, request }) => auth.verify(input.token, userId, request.ip));
  serve(app, resendVerification, async ({ userId }) => {
    await auth.resend(userId);
    return {};
  });
  serve(app, logout, async ({ session, reply }) => {
    await auth.signOut(session);
    clearSession(reply);
    return {};
  });
}
