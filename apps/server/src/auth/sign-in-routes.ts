import { type SignInProvider, isSignInProvider, safePath, signInPath } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readCookie, writeCookie } from '#/http/cookies.ts';
import { deviceOf, isSecure, sendSession } from './session-cookies.ts';
import { type Failed, type SignIn, signInTime, usualWay } from './sign-in.ts';

/** Cookie that binds a sign-in to the browser that began it. */
const bindingCookie = 'signin';
const cookiePath = '/login/with';

type Query = Readonly<Record<string, string | string[] | undefined>>;
const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Where the provider sends the browser back; what the operator registers there. */
export const callbackPath = (provider: SignInProvider): string => `${signInPath(provider)}/callback`;

/** Pages of a browser, not calls: they end in redirects, to the provider, to where the person was going, or to a page that says what happened. */
export function signInRoutes(app: FastifyInstance, signIn: SignIn): void {
  app.get<{ Params: { provider: string }; Querystring: Query }>(`${cookiePath}/:provider`, async ({ params, query, ip }, reply) => {
    const { provider } = params;
    if (!isSignInProvider(provider)) return reply.callNotFound();
    const way = {
      redirectUrl: safePath(one(query['redirectUrl']), usualWay.redirectUrl),
      cancelUrl: safePath(one(query['cancelUrl']), usualWay.cancelUrl),
    };
    const begun = await signIn.begin(provider, way, ip);
    if ('failure' in begun) return sendFailure(reply, begun);
    return reply
      .header(
        'set-cookie',
        writeCookie(bindingCookie, begun.binding, { secure: isSecure(reply), httpOnly: true, maxAge: signInTime, path: cookiePath }),
      )
      .header('cache-control', 'no-store')
      .redirect(begun.url);
  });

  app.get<{ Params: { provider: string } }>(`${cookiePath}/:provider/callback`, async (request, reply) => {
    const { provider } = request.params;
    if (!isSignInProvider(provider)) return reply.callNotFound();
    const answer = new URL(request.url, app.publicOrigin);
    const finished = await signIn.finish(provider, readCookie(request.headers.cookie, bindingCookie), answer, deviceOf(request));
    const forget = writeCookie(bindingCookie, '', { secure: isSecure(reply), httpOnly: true, maxAge: 0, path: cookiePath });
    if ('failure' in finished) return sendFailure(reply.header('set-cookie', forget), finished);
    sendSession(reply, finished.opened);
    return reply.header('set-cookie', forget).header('cache-control', 'no-store').redirect(finished.redirectUrl);
  });
}

function sendFailure(reply: FastifyReply, { failure, isNotSetUp, way }: Failed): FastifyReply {
  const query = new URLSearchParams(isNotSetUp ? { reason: 'notsetup' } : {});
  for (const key of ['redirectUrl', 'cancelUrl'] as const) if (way[key] !== usualWay[key]) query.set(key, way[key]);
  return reply.header('cache-control', 'no-store').redirect(`/login/${failure}${query.size === 0 ? '' : `?${query.toString()}`}`);
}
