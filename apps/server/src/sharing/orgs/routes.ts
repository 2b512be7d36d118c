import {
  acceptOrgInvitation,
  changeOrgMember,
  closeOrg,
  declineOrgInvitation,
  getOrgBilling,
  getOrgReceipt,
  getOrgSubscription,
  inviteToOrg,
  leaveOrg,
  listOrgLinks,
  listOrgMembers,
  listOrgs,
  purchaseOrg,
  purchaseOrgUnits,
  refundOrg,
  removeOrgMember,
  renameOrg,
  setOrgAutoRenew,
  showOrg,
  showOrgInvitation,
  transferOrg,
  updateOrgBilling,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Links } from '#/links/links/service.ts';
import { serve } from '#/platform/http/serve.ts';
import { type Caller, requireBrowser } from '#/platform/http/session.ts';
import type { OrgInvitations } from './invitations.ts';
import type { OrgMembers } from './members.ts';
import type { OrgPaying } from './paying.ts';
import type { Orgs } from './service.ts';

interface Deps {
  readonly orgs: Orgs;
  readonly orgMembers: OrgMembers;
  readonly orgInvitations: OrgInvitations;
  readonly orgPaying: OrgPaying;
  readonly links: Pick<Links, 'listOfOrg'>;
}

/** Runs a change that needs a browser session: a command-line token must not change roles or move money. */
async function inBrowser(session: Caller | undefined, change: () => Promise<void>): Promise<Record<string, never>> {
  if (session) requireBrowser(session);
  await change();
  return {};
}

/** The calls of `contract/orgs.ts`. */
export function orgRoutes(app: FastifyInstance, { orgs, orgMembers, orgInvitations, orgPaying, links }: Deps): void {
  serve(app, showOrg, async ({ userId, session, input }) => {
    requireBrowser(session);
    return { org: await orgs.enable(userId, input) };
  });
  serve(app, listOrgs, async ({ userId }) => ({ orgs: await orgs.list(userId), invitations: await orgInvitations.listFor(userId) }));
  serve(app, listOrgLinks, async ({ userId, input }) => {
    await orgs.require(userId, input.orgOid, 'links');
    return { activeSources: await links.listOfOrg(userId, input.orgOid) };
  });
  serve(app, renameOrg, async ({ userId, session, input }) => {
    requireBrowser(session);
    return { org: await orgs.rename(userId, input.orgOid, input.newName) };
  });
  serve(app, closeOrg, ({ userId, session, input }) => inBrowser(session, () => orgs.close(userId, input.orgOid, input.name)));

  serve(app, listOrgMembers, ({ userId, input }) => orgMembers.list(userId, input.orgOid));
  serve(app, changeOrgMember, ({ userId, session, input: { orgOid, memberId, role } }) =>
    inBrowser(session, () => orgMembers.changeRole(userId, orgOid, memberId, role)),
  );
  serve(app, removeOrgMember, ({ userId, session, input: { orgOid, memberId } }) =>
    inBrowser(session, () => orgMembers.remove(userId, orgOid, memberId)),
  );
  serve(app, leaveOrg, ({ userId, session, input }) => inBrowser(session, () => orgMembers.leave(userId, input.orgOid)));
  serve(app, transferOrg, ({ userId, session, input: { orgOid, memberId } }) =>
    inBrowser(session, () => orgMembers.transfer(userId, orgOid, memberId)),
  );

  serve(app, inviteToOrg, ({ userId, session, input: { orgOid, emails, role } }) => {
    requireBrowser(session);
    return orgInvitations.invite(userId, orgOid, emails, role);
  });
  serve(app, showOrgInvitation, ({ input }) => orgInvitations.show(input.token));
  serve(app, acceptOrgInvitation, async ({ userId, session, input }) => {
    requireBrowser(session);
    return { org: await orgs.show(await orgInvitations.accept(userId, input)) };
  });
  serve(app, declineOrgInvitation, ({ userId, session, input }) => inBrowser(session, () => orgInvitations.decline(userId, input)));

  serve(app, getOrgSubscription, ({ userId, input }) => orgPaying.subscription(userId, input.orgOid));
  serve(app, purchaseOrg, ({ userId, session, input }) => {
    requireBrowser(session);
    return orgPaying.purchase(userId, input);
  });
  serve(app, purchaseOrgUnits, ({ userId, session, input: { orgOid, units } }) =>
    inBrowser(session, () => orgPaying.changeUnits(userId, orgOid, units)),
  );
  serve(app, refundOrg, ({ userId, session, input }) => inBrowser(session, () => orgPaying.refund(userId, input.orgOid)));
  serve(app, setOrgAutoRenew, ({ userId, session, input: { orgOid, autoRenew } }) =>
    inBrowser(session, () => orgPaying.setAutoRenew(userId, orgOid, autoRenew)),
  );
  serve(app, getOrgBilling, ({ userId, input }) => orgPaying.billing(userId, input.orgOid));
  serve(app, getOrgReceipt, async ({ userId, input, reply }) =>
    reply.type('text/html; charset=utf-8').send(await orgPaying.receipt(userId, input.orgOid, input.invoiceId)),
  );
  serve(app, updateOrgBilling, ({ userId, session, input: { orgOid, recurlyBillingToken } }) =>
    inBrowser(session, () => orgPaying.updateCard(userId, orgOid, recurlyBillingToken)),
  );
}
