import {
  type FamilyCalls,
  allLinks,
  appError,
  deleteLink,
  deleteOrgLink,
  familyCalls,
  getDefaultSourceName,
  getLinkConnectionInfo,
  getOrgLinkConnectionInfo,
  keepLink,
  orgFamilyCalls,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import { families } from './families.ts';
import type { Links } from './service.ts';

/** The organisation's variants of calls name the organisation; the plain calls accept an orgOid instead. */
function ofOrganisation<Input extends { readonly orgOid?: string }>(input: Input): Input {
  if (!input.orgOid) throw appError('MISSING_PARAMETER', {});
  return input;
}

export function linkRoutes(app: FastifyInstance, links: Links): void {
  serve(app, allLinks, async ({ userId }) => ({ activeSources: await links.list(userId) }));
  serve(app, getDefaultSourceName, async ({ userId, input }) => ({
    linkName: await links.defaultName(userId, input),
  }));
  serve(app, getLinkConnectionInfo, ({ userId, input }) => links.connectionInfo(userId, input));
  serve(app, deleteLink, async ({ userId, input }) => {
    await links.unlink(userId, input);
    return {};
  });
  serve(app, keepLink, async ({ userId, session, input }) => {
    requireBrowser(session);
    await links.keep(userId, input.userLinkId);
    return {};
  });
  serve(app, getOrgLinkConnectionInfo, ({ userId, input }) => links.connectionInfo(userId, ofOrganisation(input)));
  serve(app, deleteOrgLink, async ({ userId, input }) => {
    await links.unlink(userId, ofOrganisation(input));
    return {};
  });

  for (const family of Object.values(families)) {
    const { add, update, validate, verify }: FamilyCalls = familyCalls[family.name];
    serve(app, add, ({ userId, input, signal }) => links.add(family, userId, input, signal));
    serve(app, update, ({ userId, input, signal }) => links.update(family, userId, input, signal));
    if (validate) serve(app, validate, ({ userId, input, signal }) => links.validate(family, userId, input, signal));
    if (verify) serve(app, verify, ({ userId, input, signal }) => links.verify(family, userId, input, signal));
  }
  for (const [name, { add, update, verify }] of Object.entries(orgFamilyCalls)) {
    const family = families[name as keyof typeof orgFamilyCalls];
    serve(app, add, ({ userId, input, signal }) => links.add(family, userId, ofOrganisation(input), signal));
    serve(app, update, ({ userId, input, signal }) => links.update(family, userId, ofOrganisation(input), signal));
    serve(app, verify, ({ userId, input, signal }) => links.verify(family, userId, ofOrganisation(input), signal));
  }
}
