import {
  type LinkRequestFault,
  AppError,
  LinkWebServiceQuery,
  addGoogleCloudLink,
  appError,
  completeLinkAuth,
  linkAuthUrl,
  linkWebServicePath,
  manageCalls,
  orgLinkWebServicePath,
  orgManageCalls,
  requestErrorPath,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { inputReader } from '#/http/input.ts';
import { serve } from '#/http/serve.ts';
import { callerOf } from '#/http/session.ts';
import type { Authorizations } from './service.ts';

/** Nobody is a member of an organisation yet, so its links cannot be found. */
const notAMember = (): never => {
  throw appError('INVALID_LINK_URI', {});
};

/** Two pages of a browser, which end in redirects, and the calls of linking by authorization. */
export function authorizationRoutes(app: FastifyInstance, authorizations: Authorizations): void {
  const read = queryReader();
  const faultPath = (fault: LinkRequestFault): string => `${requestErrorPath}?${new URLSearchParams({ ...fault }).toString()}`;

  app.get(linkWebServicePath, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const caller = await callerOf(request);
    if (!caller) return reply.redirect(signInPath(request.url));
    const query = read(request.query);
    const begun = query ? await authorizations.begin(caller, query) : { fault: { reason: 'unknown' } as const };
    return reply.redirect('url' in begun ? begun.url : faultPath(begun.fault));
  });
  app.get(orgLinkWebServicePath, async (request, reply) => {
    const caller = await callerOf(request);
    return reply.header('cache-control', 'no-store').redirect(caller ? faultPath({ reason: 'nolink' }) : signInPath(request.url));
  });

  serve(app, linkAuthUrl, ({ session, input }) => authorizations.urlFor(session, input));
  serve(app, completeLinkAuth, async ({ session, input }) => ({ url: await authorizations.complete(session, input) }));
  serve(app, manageCalls.validate, ({ session, input, signal }) => authorizations.validate(session, input, signal));
  serve(app, manageCalls.update, ({ session, input }) => authorizations.update(session, input));
  serve(app, orgManageCalls.validate, notAMember);
  serve(app, orgManageCalls.update, notAMember);
  serve(app, addGoogleCloudLink, ({ session, input, signal }) => {
    if (input.orgOid) return notAMember();
    return authorizations.addBucket(session, input, signal);
  });
}

/** The sign-in page, which leads back here. */
function signInPath(here: string): string {
  return `/login/start?${new URLSearchParams({ redirectUrl: here, cancelUrl: '/' }).toString()}`;
}

/** Reads the query of {@link linkWebServicePath}; undefined where it cannot be understood. */
function queryReader(): (query: unknown) => LinkWebServiceQuery | undefined {
  const read = inputReader(LinkWebServiceQuery);
  return (query) => {
    try {
      return read(query);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  };
}
