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
  signInAddress,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { inputReader } from '#/platform/http/input.ts';
import { serve } from '#/platform/http/serve.ts';
import { callerOf } from '#/platform/http/session.ts';
import type { Authorizations } from './service.ts';

/** The organisation's variants name the organisation; the plain calls accept an orgOid instead. */
function ofOrganisation<Input extends { readonly orgOid?: string }>(input: Input): Input {
  if (!input.orgOid) throw appError('MISSING_PARAMETER', {});
  return input;
}

/** Two pages that redirect, and the calls of linking by authorization. */
export function authorizationRoutes(app: FastifyInstance, authorizations: Authorizations): void {
  const read = queryReader();
  const faultPath = (fault: LinkRequestFault): string => `${requestErrorPath}?${new URLSearchParams({ ...fault }).toString()}`;

  for (const path of [linkWebServicePath, orgLinkWebServicePath]) {
    app.get(path, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const caller = await callerOf(request);
      if (!caller) return reply.redirect(signInPath(request.url));
      const query = read(request.query);
      if (!query) return reply.redirect(faultPath({ reason: 'unknown' }));
      if (path === orgLinkWebServicePath && !query.orgOid) return reply.redirect(faultPath({ reason: 'nolink' }));
      const begun = await authorizations.begin(caller, query);
      return reply.redirect('url' in begun ? begun.url : faultPath(begun.fault));
    });
  }

  serve(app, linkAuthUrl, ({ session, input }) => authorizations.urlFor(session, input));
  serve(app, completeLinkAuth, async ({ session, input }) => ({ url: await authorizations.complete(session, input) }));
  serve(app, manageCalls.validate, ({ session, input, signal }) => authorizations.validate(session, input, signal));
  serve(app, manageCalls.update, ({ session, input }) => authorizations.update(session, input));
  serve(app, orgManageCalls.validate, ({ session, input, signal }) => authorizations.validate(session, ofOrganisation(input), signal));
  serve(app, orgManageCalls.update, ({ session, input }) => authorizations.update(session, ofOrganisation(input)));
  serve(app, addGoogleCloudLink, ({ session, input, signal }) => authorizations.addBucket(session, input, signal));
}

/** The sign-in page, which returns here. */
function signInPath(here: string): string {
  return signInAddress({ redirectUrl: here, cancelUrl: '/', flowOrigin: 'links' });
}

/** Parses the query of {@link linkWebServicePath}; undefined when it is invalid. */
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
