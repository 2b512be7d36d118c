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
  orgFamilyCalls,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/http/serve.ts';
import { families } from './families.ts';
import type { Links } from './service.ts';

/** Nobody is a member of an organisation yet, so its links cannot be found. */
const notAMember = (): never => {
  throw appError('INVALID_LINK_URI', {});
};

export function linkRoutes(app: FastifyInstance, links: Links): void {
  serve(app, allLinks, async ({ userId }) => ({ activeSources: await links.list(userId) }));
  serve(app, getDefaultSourceName, async ({ userId, input }) => ({
    linkName: await links.defaultName(userId, input.sourceType, input.provider),
  }));
  serve(app, getLinkConnectionInfo, ({ userId, input }) => links.connectionInfo(userId, input));
  serve(app, deleteLink, async ({ userId, input }) => {
    await links.unlink(userId, input);
    return {};
  });
  serve(app, getOrgLinkConnectionInfo, notAMember);
  serve(app, deleteOrgLink, notAMember);

  for (const family of Object.values(families)) {
    const { add, update, validate, verify }: FamilyCalls = familyCalls[family.name];
    serve(app, add, ({ userId, input, signal }) => links.add(family, userId, input, signal));
    serve(app, update, ({ userId, input, signal }) => links.update(family, userId, input, signal));
    if (validate) serve(app, validate, ({ userId, input, signal }) => links.validate(family, userId, input, signal));
    if (verify) serve(app, verify, ({ userId, input, signal }) => links.verify(family, userId, input, signal));
  }
  for (const { add, update, verify } of Object.values(orgFamilyCalls)) {
    serve(app, add, notAMember);
    serve(app, update, notAMember);
    serve(app, verify, notAMember);
  }
}
