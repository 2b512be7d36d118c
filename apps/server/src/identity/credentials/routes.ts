import {
  confirmSignup,
  emailLogin,
  emailSignup,
  forgotPassword,
  logout,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { clearSession, deviceOf, sendDevice, sendEntered, sendSession } from '#/identity/sessions/session-cookies.ts';
import { serve } from '#/platform/http/serve.ts';
import type { Auth } from './service.ts';
import type { SigningUp } from './signing-up.ts';

/** `signOutUrl`: where the browser ends its session at the provider that opened the one here. */
export function authRoutes(
  app: FastifyInstance,
  auth: Auth,
  signingUp: SigningUp,
  signOutUrl: (provider: string, returnTo: string) => Promise<string | undefined>,
): void {
  serve(app, emailSignup, async ({ input, request, reply }) => {
    const signedUp = await signingUp.signUp(input, deviceOf(request));
    if ('opened' in signedUp) {
      sendSession(reply, signedUp.opened);
      return signedUp.opened.session;
    }
    sendDevice(reply, signedUp.device);
    return { mailedTo: signedUp.mailedTo };
  });
  serve(app, confirmSignup, async ({ input, request, reply }) => {
    const confirmed = await signingUp.confirm(input.token, input.password, deviceOf(request));
    if (!('opened' in confirmed)) return confirmed;
    sendSession(reply, confirmed.opened);
    return confirmed.opened.session;
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
    const provider = await auth.signOut(session);
    clearSession(reply);
    const url = provider === undefined ? undefined : await signOutUrl(provider, `${app.publicOrigin}/`);
    return url === undefined ? {} : { url };
  });
}
