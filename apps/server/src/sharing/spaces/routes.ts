import {
  acceptSpaceInvitation,
  changeSpaceMember,
  createSpace,
  declineSpaceInvitation,
  inviteToSpace,
  leaveSpace,
  listSpaceMembers,
  listSpaces,
  removeSpace,
  removeSpaceMember,
  showSpaceInvitation,
  updateSpace,
  updateSpaceLink,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Spaces } from './service.ts';

/** The calls of `contract/spaces.ts`. */
export function spaceRoutes(app: FastifyInstance, spaces: Spaces): void {
  const { members, invitations } = spaces;
  serve(app, createSpace, ({ userId, input, signal }) => spaces.create(userId, input, signal));
  serve(app, updateSpace, async ({ userId, input, signal }) => ({ space: await spaces.update(userId, input, signal) }));
  serve(app, updateSpaceLink, async ({ userId, input }) => ({ space: await spaces.renameLink(userId, input.userLinkId, input.spaceName) }));
  serve(app, listSpaces, ({ userId }) => spaces.list(userId));
  serve(app, removeSpace, async ({ userId, input }) => {
    await spaces.remove(userId, input.spaceOid);
    return {};
  });
  serve(app, leaveSpace, async ({ userId, input }) => {
    await spaces.leave(userId, input.spaceOid);
    return {};
  });

  serve(app, listSpaceMembers, async ({ userId, input }) => ({ members: await members.list(userId, input.spaceOid) }));
  serve(app, inviteToSpace, ({ userId, input }) => members.invite(userId, input.spaceOid, input.emails, input.role));
  serve(app, changeSpaceMember, async ({ userId, input }) => {
    await members.changeRole(userId, input.spaceOid, input.memberId, input.role);
    return {};
  });
  serve(app, removeSpaceMember, async ({ userId, input }) => {
    await members.remove(userId, input.spaceOid, input.memberId);
    return {};
  });

  serve(app, showSpaceInvitation, ({ input, request }) => invitations.show(input.token, request.ip));
  serve(app, acceptSpaceInvitation, async ({ userId, input, request }) => ({
    space: await invitations.accept(userId, input, request.ip),
  }));
  serve(app, declineSpaceInvitation, async ({ userId, input, request }) => {
    await invitations.decline(userId, input, request.ip);
    return {};
  });
}
