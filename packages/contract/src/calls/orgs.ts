import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { LinkGroup } from './links.ts';
import { InvitationAnswer, Invited, memberOf } from './members.ts';
import { Billing, Subscription, Tokenizer } from './purchase.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

/** Members use and manage the links; admins also invite and remove members; the owner also pays. */
export const orgRoles = ['member', 'admin', 'owner'] as const;
export type OrgRole = (typeof orgRoles)[number];
export const givenOrgRoles = ['member', 'admin'] as const;
export type GivenOrgRole = (typeof givenOrgRoles)[number];
const Role = Type.Unsafe<OrgRole>({ type: 'string', enum: [...orgRoles] });
const GivenRole = Type.Unsafe<GivenOrgRole>({ type: 'string', enum: [...givenOrgRoles] });

/** Rights by role: one table, enforced by the server and shown by the browser. */
export const orgRights = {
  browse: ['member', 'admin', 'owner'],
  links: ['member', 'admin', 'owner'],
  members: ['admin', 'owner'],
  rename: ['admin', 'owner'],
  audit: ['admin', 'owner'],
  billing: ['owner'],
} as const satisfies Readonly<Record<string, readonly OrgRole[]>>;
export type OrgRight = keyof typeof orgRights;
export const mayInOrg = (role: OrgRole, right: OrgRight): boolean => orgRights[right].some((allowed) => allowed === role);

export const Org = Type.Object({
  orgOid: text,
  orgMembershipOid: text,
  name: text,
  role: Role,
  /** Name of the plan; empty without one. */
  planName: text,
  /** How many members the plan covers; 0 without a plan. */
  planMembers: Type.Integer(),
  members: Type.Integer(),
  state: Type.Union([Type.Literal('trial'), Type.Literal('active'), Type.Literal('expired')]),
  /** Days left of a trial. */
  expirationDays: optional(Type.Integer()),
});
export type Org = Static<typeof Org>;

/** A member's id is its orgMembershipOid. */
export const OrgMember = memberOf(Role);
export type OrgMember = Static<typeof OrgMember>;
const OrgRef = { orgOid: text, rTag };

export const showOrg = call({
  method: 'POST',
  path: '/rest/subscription/show_org',
  input: Type.Object({ trialDays: optional(Type.Integer()), track: optional(text), orgName: optional(text), rTag }),
  reply: Type.Object({ org: Org }),
  summary: 'Enables organisation access: makes the organisation, with a trial.',
});
export const listOrgs = call({
  method: 'GET',
  path: '/rest/org/list',
  input: Type.Object({}),
  reply: Type.Object({
    orgs: Type.Array(Org),
    invitations: Type.Array(Type.Object({ invitationId: text, name: text, invitedBy: text, role: Role })),
  }),
  summary: 'The organisations that the user is a member of.',
});
export const listOrgLinks = call({
  method: 'GET',
  path: '/rest/org/links',
  input: Type.Object({ orgOid: text }),
  reply: Type.Object({ activeSources: Type.Array(LinkGroup) }),
  summary: "The organisation's links, grouped by source type.",
});
export const renameOrg = call({
  method: 'POST',
  path: '/rest/org/rename',
  input: Type.Object({ ...OrgRef, newName: text }),
  reply: Type.Object({ org: Org }),
  rTag: 'required',
  summary: 'Renames the organisation.',
});
export const listOrgMembers = call({
  method: 'GET',
  path: '/rest/org/members',
  input: Type.Object({ orgOid: text }),
  reply: Type.Object({
    orgOid: text,
    planName: text,
    /** As the billing provider reports it; parsed as an integer, 0 when invalid. */
    planMembers: text,
    members: Type.Array(OrgMember),
  }),
  summary: 'Members and open invitations, with what the plan carries.',
});
export const inviteToOrg = call({
  method: 'POST',
  path: '/rest/org/invite',
  input: Type.Object({ ...OrgRef, emails: text, role: GivenRole }),
  reply: Invited,
  rTag: 'required',
  summary: 'Invites people to the organisation by mail.',
});
export const changeOrgMember = call({
  method: 'POST',
  path: '/rest/org/change_member',
  input: Type.Object({ ...OrgRef, memberId: text, role: GivenRole }),
  reply: Nothing,
  rTag: 'required',
  summary: "Changes a member's or an invitation's role.",
});
export const removeOrgMember = call({
  method: 'POST',
  path: '/rest/org/remove_member',
  input: Type.Object({ ...OrgRef, memberId: text }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Removes a member, or takes an invitation back.',
});
export const leaveOrg = call({
  method: 'POST',
  path: '/rest/org/leave',
  input: Type.Object(OrgRef),
  reply: Nothing,
  rTag: 'required',
  summary: 'Leaves the organisation.',
});
export const transferOrg = call({
  method: 'POST',
  path: '/rest/org/transfer',
  input: Type.Object({ ...OrgRef, memberId: text }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Makes another member the owner.',
});
export const closeOrg = call({
  method: 'POST',
  path: '/rest/org/close',
  input: Type.Object({ ...OrgRef, name: text }),
  reply: Nothing,
  rTag: 'required',
  summary: "Ends the organisation with its links; the files stay. Takes the organisation's name as confirmation.",
});
export const showOrgInvitation = call({
  method: 'POST',
  path: '/rest/org/invitation',
  session: 'optional',
  rTag: 'none',
  input: Type.Object({ token: text }),
  reply: Type.Object({ name: text, invitedBy: text, email: text, role: Role, hasAccount: Type.Boolean() }),
  summary: 'What an invitation is to; whoever has its token may ask.',
});
export const acceptOrgInvitation = call({
  method: 'POST',
  path: '/rest/org/accept',
  input: InvitationAnswer,
  reply: Type.Object({ org: Org }),
  rTag: 'required',
  summary: 'Joins an organisation.',
});
export const declineOrgInvitation = call({
  method: 'POST',
  path: '/rest/org/decline',
  session: 'optional',
  input: InvitationAnswer,
  reply: Nothing,
  summary: 'Declines an invitation.',
});

export const getOrgSubscription = call({
  method: 'GET',
  path: '/rest/org/subscription',
  input: Type.Object({ orgOid: text }),
  reply: Type.Object({
    tokenizer: Tokenizer,
    purchaseAccountId: optional(text),
    members: Type.Integer(),
    subscription: optional(Subscription),
  }),
  summary: "The organisation's subscription.",
});
export const purchaseOrg = call({
  method: 'POST',
  path: '/rest/org/purchase',
  input: Type.Object({ ...OrgRef, recurlyBillingToken: optional(text), recurlyPlan: text, units: Type.Integer(), coupon: optional(text) }),
  reply: Type.Object({ purchaseAccountId: text }),
  rTag: 'required',
  summary: 'Buys the plan for so many members.',
});
export const purchaseOrgUnits = call({
  method: 'POST',
  path: '/rest/org/purchase_units',
  input: Type.Object({ ...OrgRef, units: Type.Integer() }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Changes how many members the plan carries; more are charged for the rest of the term.',
});
export const refundOrg = call({
  method: 'POST',
  path: '/rest/org/refund',
  input: Type.Object(OrgRef),
  reply: Nothing,
  rTag: 'required',
  summary: 'Ends the plan at once and gives the first charge back, within its days.',
});
export const setOrgAutoRenew = call({
  method: 'POST',
  path: '/rest/org/auto_renew',
  input: Type.Object({ ...OrgRef, autoRenew: Type.Boolean() }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Lets the plan renew, or end with its term.',
});
export const getOrgBilling = call({
  method: 'GET',
  path: '/rest/org/billing',
  input: Type.Object({ orgOid: text }),
  reply: Type.Object({ tokenizer: Tokenizer, billing: Billing }),
  summary: "The organisation's card and bills.",
});
export const getOrgReceipt = call({
  method: 'GET',
  path: '/rest/org/receipt',
  input: Type.Object({ orgOid: text, invoiceId: text }),
  reply: Type.Unknown(),
  summary: "The receipt of one of the organisation's bills, as a page.",
});
export const updateOrgBilling = call({
  method: 'POST',
  path: '/rest/org/update_billing',
  input: Type.Object({ ...OrgRef, recurlyBillingToken: text }),
  reply: Nothing,
  rTag: 'required',
  summary: "Replaces the organisation's card.",
});
