import {
  type SignInAnswer,
  type SignInProvider,
  appError,
  isSignInProvider,
  linkIdentity,
  safePath,
  signInAddress,
  signInPath,
} from '@sheaf/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf, isSecure, sendEntered } from '#/identity/sessions/session-cookies.ts';
import { readCookie, writeCookie } from '#/platform/http/cookies.ts';
import { type Query, one } from '#/platform/http/query.ts';
import { serve } from '#/platform/http/serve.ts';
import { callerOf } from '#/platform/http/session.ts';
import { type Failed, type SignIn, type Way, signInTime, usualWay } from './sign-in.ts';

/** Cookie that binds a sign-in to the browser that started it. */
const bindingCookie = 'signin';
const cookiePath = '/login/with';
const profile = '/account/profile';

/** Redirect address that the operator registers with the provider. */
export const callbackPath = (provider: SignInProvider): string => `${signInPath(provider)}/callback`;

/** Pages for browser navigation, not calls: each redirects to the provider, to the original target, or to a page that shows the outcome. */
export function signInRoutes(app: FastifyInstance, signIn: SignIn, reauthentication: Reauthentication): void {
  const bind = (reply: FastifyReply, binding: string): FastifyReply =>
    reply.header(
      'set-cookie',
      writeCookie(bindingCookie, binding, { secure: isSecure(reply), httpOnly: true, maxAge: signInTime, path: cookiePath }),
    );

  serve(app, linkIdentity, async ({ input: { provider }, userId, session, request, reply }) => {
    await reauthentication.require(session);
    if (!isSignInProvider(provider)) throw appError('INVALID_PARAMETER', { field: 'provider' });
    const begun = await signIn.begin(provider, { redirectUrl: profile, cancelUrl: profile }, request.ip, userId);
    if ('failure' in begun) throw appError('PROVIDER_NOT_SET_UP', {});
    bind(reply, begun.binding);
    return { url: begun.url };
  });

  app.get<{ Params: { provider: string }; Querystring: Query }>(`${cookiePath}/:provider`, async ({ params, query, ip }, reply) => {
    const { provider } = params;
    if (!isSignInProvider(provider)) return reply.callNotFound();
    const way = {
      redirectUrl: safePath(one(query['redirectUrl']), usualWay.redirectUrl),
      cancelUrl: safePath(one(query['cancelUrl']), usualWay.cancelUrl),
    };
    const begun = await signIn.begin(provider, way, ip);
    if ('failure' in begun) return sendFailure(reply, begun);
    return bind(reply, begun.binding).header('cache-control', 'no-store').redirect(begun.url);
  });

  logoutRoute(app, signIn);
  app.get<{ Params: { provider: string } }>(`${cookiePath}/:provider/callback`, async (request, reply) => {
    const { provider } = request.params;
    if (!isSignInProvider(provider)) return reply.callNotFound();
    const answer = new URL(request.url, app.publicOrigin);
    const back = { answer, device: deviceOf(request), userId: (await callerOf(request))?.userId };
    const finished = await signIn.finish(provider, readCookie(request.headers.cookie, bindingCookie), back);
    const forget = writeCookie(bindingCookie, '', { secure: isSecure(reply), httpOnly: true, maxAge: 0, path: cookiePath });
    if ('failure' in finished) return sendFailure(reply.header('set-cookie', forget), finished);
    reply.header('set-cookie', forget).header('cache-control', 'no-store');
    if ('joined' in finished) return reply.redirect(`${profile}?joined=${finished.joined ? provider : 'taken'}`);
    return reply.redirect(targetOf(sendEntered(reply, finished.entered), finished.way));
  });
}

/**
 * The provider tells here that it has ended sessions (OpenID Connect Back-Channel Logout 1.0, sections 2.5 to 2.8). It carries no session: the signature
 * proves who asks.
 */
function logoutRoute(app: FastifyInstance, signIn: SignIn): void {
  app.post<{ Params: { provider: string }; Body: Query | undefined }>(`${cookiePath}/:provider/logout`, async (request, reply) => {
    const { provider } = request.params;
    if (!isSignInProvider(provider)) return reply.callNotFound();
    const token = one(request.body?.['logout_token']);
    const isEnded = token !== undefined && (await signIn.endFrom(provider, token, request.ip));
    reply.header('cache-control', 'no-store');
    return isEnded ? reply.code(200).send() : reply.code(400).send({ error: 'invalid_request' });
  });
}

/**
 * Returns the path to redirect the browser to. The hash, which browsers never send, carries what the sign-in page needs to keep a closing account.
 */
function targetOf(answer: SignInAnswer, way: Way): string {
  const { redirectUrl, cancelUrl } = way;
  if (!('closing' in answer)) {
    // The default target leads back to the page where the sign-in started, which it knows only from the address.
    const leadsBack = redirectUrl === usualWay.redirectUrl && cancelUrl !== usualWay.cancelUrl;
    return leadsBack ? `${redirectUrl}?${new URLSearchParams({ cancelUrl, redirectUrl }).toString()}` : redirectUrl;
  }
  const { ticket, closesAt } = answer.closing;
  return `${signInAddress({ ...way, flowOrigin: 'page' })}#closing=${ticket}&closesAt=${closesAt}`;
}

function sendFailure(reply: FastifyReply, { failure, isNotSetUp, way }: Failed): FastifyReply {
  const query = new URLSearchParams(isNotSetUp ? { reason: 'notsetup' } : {});
  for (const key of ['redirectUrl', 'cancelUrl'] as const) if (way[key] !== usualWay[key]) query.set(key, way[key]);
  return reply.header('cache-control', 'no-store').redirect(`/login/${failure}${query.size === 0 ? '' : `?${query.toString()}`}`);
}
